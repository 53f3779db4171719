// What a person reads: the table of a comparison, and of a plan.
#pragma once

#include <string>

#include "common/results/results.hpp"

namespace trilane {

/// One comparison as a Markdown table under a heading, at most 80 columns, followed by messages,
/// set-up times, limit, regime and the verdict. Speed is the reference's wall time over the
/// variant's, with its 95% interval; where that contains 1 it reads "tie". Variants that are not
/// ok show their status instead of times. `simulated` names the profile that all times come from,
/// and then the table says so; it is empty when they were measured.
std::string table(const Comparison& comparison, const std::string& simulated = {});

/// A run without measuring: each variant's plan for a workload, at most 80 columns.
std::string plan_table(const Workload& workload, const std::string& variant, const Plan& plan);

}  // namespace trilane
