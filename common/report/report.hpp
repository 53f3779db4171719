// What a person reads: the table, and the verdict in a sentence.
#pragma once

#include <optional>
#include <string>

#include "common/results/results.hpp"

namespace trilane {

/// One comparison as a Markdown table under a heading, at most 80 columns, followed by messages,
/// set-up times, limit, regime and the verdict. Speed is the reference's wall time over the
/// variant's, with its 95% interval; where that contains 1 it reads "tie". Variants that are not
/// ok show their status instead of times. `simulated` names the profile that all times come from,
/// and then the table says so; it is empty when they were measured.
std::string table(const Comparison& comparison, const std::string& simulated = {});

/// Which variant to use on this workload and by how much: the fastest by wall time, its speed over
/// the reference with interval, and every variant that ties with either. The reference stays the
/// advice unless another is faster beyond a tie. Then when it has paid for its set-up, what memory
/// it takes, what limits it and what to try next, as far as that is known. `simulated` as above.
/// Needs summarise() and find_break_even().
std::string verdict(const Comparison& comparison, const std::string& simulated = {});

/// The same in parts; nothing when no variant can be advised.
std::optional<Advice> advice(const Comparison& comparison);

/// A run without measuring: each variant's plan for a workload, at most 80 columns.
std::string plan_table(const Workload& workload, const std::string& variant, const Plan& plan);

}  // namespace trilane
