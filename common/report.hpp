// What a person reads: the table, and the verdict in a sentence.
#pragma once

#include <string>

#include "common/results.hpp"

namespace trilane {

/// One comparison as a Markdown table under a heading, at most 80 columns, followed by the regime
/// and the verdict. Failed variants show their status instead of times, and their message below.
std::string table(const Comparison& comparison);

/// Which variant to use on this workload and by how much, in one sentence: the fastest by wall
/// time, its ratio to the reference with interval, and every variant that ties with it.
std::string verdict(const Comparison& comparison);

/// A run without measuring: each variant's plan for a workload, at most 80 columns.
std::string plan_table(const Workload& workload, const std::string& variant, const Plan& plan);

}  // namespace trilane
