// Checks whether a preset's regime holds on this machine.
#pragma once

#include "common/model/results/results.hpp"

namespace trilane {

/// Sets `regime` and `regime_held` of the comparison by its figures. Does nothing without a limit.
/// Without the reference's times the launch preset is not judged, and `regime` says so.
void judge_regime(Comparison& comparison);

}  // namespace trilane
