// Whether a preset is, on this machine, what its name promises.
#pragma once

#include "common/results/results.hpp"

namespace trilane {

/// Says whether the preset's regime holds with these figures, in `comparison.regime` and
/// `regime_held`; needs the limit, and for the launch preset the reference's times.
void judge_regime(Comparison& comparison);

}  // namespace trilane
