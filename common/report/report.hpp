// What a person reads: the table of a comparison, and of a plan.
#pragma once

#include <string>

#include "common/results/results.hpp"

namespace trilane {

/// One comparison as a Markdown table under a heading, at most 80 columns, followed by messages,
/// set-up times, limit, regime and the verdict. Speed is the reference's wall time over the
/// variant's with its 95% interval, or "tie". Variants that are not ok show their status instead of
/// times. `simulated` is the profile of simulated times, which the table then names; it is empty
/// for measured times.
std::string table(const Comparison& comparison, const std::string& simulated = {});

/// For --dry-run: a variant's plan for a workload, at most 80 columns.
std::string plan_table(const Workload& workload, const std::string& variant, const Plan& plan);

}  // namespace trilane
