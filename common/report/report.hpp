// What a person reads: the tables of comparisons, and of a plan.
#pragma once

#include <span>
#include <string>

#include "common/results/results.hpp"

namespace trilane {

/// One comparison as a Markdown table under a heading, at most 80 columns, followed by messages,
/// set-up times, limit, regime and the verdict. Speed is the reference's wall time over the
/// variant's with its 95% interval, or "tie". Variants that are not ok show their status instead of
/// times. `simulated` is the profile of simulated times, which the table then names; it is empty
/// for measured times.
std::string table(const Comparison& comparison, const std::string& simulated = {});

/// For trilane plan: a variant's plan for a workload, at most 80 columns.
std::string plan_table(const Workload& workload, const std::string& variant, const Plan& plan);

/// For each workload with several numbers of chunks: the number with which each variant is fastest,
/// and the one with the lowest bound by the formula, at the rates of the run whose bound is lowest.
/// Empty without such a workload.
std::string series_section(std::span<const Comparison> comparisons, const std::string& simulated);

/// For each workload with several settings, a table of every variant under each: submit and wall
/// time, overlap (time of all stages in turn over wall time; 1 means none), and the speed over the
/// first setting, paired by process. If long names leave no room, submit and then overlap are
/// dropped. Empty with one setting. `simulated` as for table().
std::string settings_section(std::span<const Comparison> comparisons, const std::string& simulated);

/// Two tables under a heading, at most 80 columns: the times of the traced passes and what tracing
/// added; and overlap, use of the engines and what operations waited for most. Empty if nothing was
/// traced. `simulated` as for table().
std::string timeline_section(const Comparison& comparison, const std::string& simulated);

/// One row per workload, at most 80 columns: how many intervals contained 1, the true ratio, the
/// exact interval of that share, and its p-value against 95%. With a slow-down: how many intervals
/// found it, the exact interval of that share, and the median ratio. Then the median half width.
/// Comparisons with too few rounds are counted separately.
std::string aa_table(const Results& results);

}  // namespace trilane
