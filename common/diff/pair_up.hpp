// Finds the comparisons of two runs that did the same work.
#pragma once

#include "common/diff/change.hpp"

namespace trilane {

/// The workloads that both runs have under the same conditions, in the order of `before`, their
/// variants without verdicts, and what only one run has. Throws UsageError, with the value and how
/// to fix it, if the runs cannot be compared: one is simulated and the other measured, a preset
/// differs in shape or conditions, a workload occurs twice, or nothing is in common.
RunChange pair_up(const RunFile& before, const RunFile& now);

}  // namespace trilane
