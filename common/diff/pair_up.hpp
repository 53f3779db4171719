// Which comparisons of two runs are about the same work.
#pragma once

#include "common/diff/change.hpp"

namespace trilane {

/// The runs with what both have: every workload under the same conditions, in the order of
/// `before`, and its variants, not judged yet; and what only one of the runs has. Throws
/// UsageError, naming the value and the way out, where the runs cannot be compared: one simulated
/// and the other measured, a preset of another shape or run in another way, a workload that is
/// there twice, and runs with nothing in common.
RunChange pair_up(const RunFile& before, const RunFile& now);

}  // namespace trilane
