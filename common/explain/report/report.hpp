// Makes the pages that a person reads about results: one for each question, from the records alone.
#pragma once

#include "common/base/text/page.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

/// Returns every variant in one table: means of the three clocks, quartiles and p99 of the wall
/// time, the speed over the reference with its 95% interval, or "tie", and how far it changes a
/// program. Below it are messages, processes and the like. Variants that are not ok show their
/// status instead of times. `simulated`: the profile of simulated times; empty for measured times.
Page times_page(const Comparison& comparison, const std::string& simulated);

/// Returns what the hardware allows: the bound and the efficiency of each variant, what limits it,
/// what to try with the winners of the tiers, and costs of copies and calls. Needs derive().
Page bounds_page(const Comparison& comparison);

/// Returns what the variants cost besides their passes: set-up, first pass, break-even, memory,
/// phases and pools. Says so if nothing was priced.
Page setup_page(const Comparison& comparison);

/// Returns the times of the traced passes and what tracing added; then overlap, use of the engines
/// and what operations waited for most. Says so if nothing was traced. `simulated`: see above.
Page timeline_page(const Comparison& comparison, const std::string& simulated);

/// Returns a variant's plan for a workload, for trilane plan.
Page plan_page(const Workload& workload, const std::string& variant, const Plan& plan);

/// Returns the buffers and stages of the workload's pipeline for trilane pipeline check.
Page pipeline_page(const Workload& workload);

/// Returns the A/A page, one row per workload: how many intervals contained 1, the true ratio, the
/// exact interval of that share, and its p-value against 95%. With a slow-down: how many intervals
/// found it, the exact interval of that share, and the median ratio. Then the median half width.
/// Comparisons with too few rounds are counted separately.
Page aa_page(const Results& results);

/// Returns true for a custom shape without options for its kernels: they do the least work.
bool does_least_work(const Comparison& comparison);

/// Returns "3.1 [2.9, never]", "first 12 [10, always]", "never", "at once" or "at once [0, 40]".
std::string pays_text(const BreakEven& break_even);

inline constexpr std::size_t screen_lines = 40;         ///< with several workloads
inline constexpr std::size_t screen_lines_of_one = 26;  ///< with one

/// Returns the answers of a finished run, as text of at most that many lines. Needs derive(). In
/// order: what failed; the machine, how long it took and whether all results were right; a row for
/// each workload or, with one, for each variant that matters; what to use; what makes figures
/// doubtful. Drops rows that do not fit, and says so. `more`: how to see the rest.
Page screen_page(const Results& results, const std::string& more);

/// Returns a table with a row for each of the first `most` workloads, and what to say below it: the
/// reference's time, graph, pool, the best that keeps the stages, the best rewrite, and the limit.
/// Columns without an entry are left out.
Page workload_rows(const std::vector<Comparison>& comparisons, std::size_t most);

/// Returns a table with a row for each of the first `most` workloads on each GPU of a run of
/// several: the reference's time alone and with all at work, and the best variants.
Page gpu_rows(const std::vector<Comparison>& comparisons, std::size_t most);

/// Returns a table that compares passes split over several GPUs with those on one: a row for each
/// of the first `most` variants of the only workload, or for the best variant of each.
Page split_rows(const std::vector<Comparison>& comparisons, std::size_t most);

/// Returns the same with a row for each variant, if there are at most `most`. Otherwise first the
/// reference, failed variants, the winners of the tiers and the questions' variants.
Page variant_rows(const Comparison& comparison, std::size_t most);

/// Returns label_among() for a narrow column.
std::string row_label(const Comparison& comparison, const std::vector<Comparison>& all);

/// Returns the answers alone: which variant to use on each workload, then graph, pool and engines.
Page answers_page(const Results& results);

}  // namespace trilane
