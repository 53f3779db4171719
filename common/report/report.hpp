// The report that a person reads: the table and the verdict.
#pragma once

#include <optional>
#include <string>

#include "common/results/results.hpp"

namespace trilane {

/// One comparison as a Markdown table under a heading, at most 80 columns, followed by messages,
/// set-up times, limit, regime and the verdict. Speed is the reference's wall time over the
/// variant's with its 95% interval, or "tie". Variants that are not ok show their status instead of
/// times. `simulated` is the profile of simulated times, which the table then names; it is empty
/// for measured times.
std::string table(const Comparison& comparison, const std::string& simulated = {});

/// Which variant to use on this workload: the fastest by wall time, its speed over the reference,
/// and every variant that ties with either. The reference is advised unless another variant is
/// faster by more than a tie. Then, as far as known: its break-even, its memory, what limits it,
/// and what to try next. `simulated` as above. Needs summarise() and find_break_even().
std::string verdict(const Comparison& comparison, const std::string& simulated = {});

/// The same in parts; nothing if no variant can be advised.
std::optional<Advice> advice(const Comparison& comparison);

/// For --dry-run: a variant's plan for a workload, at most 80 columns.
std::string plan_table(const Workload& workload, const std::string& variant, const Plan& plan);

}  // namespace trilane
