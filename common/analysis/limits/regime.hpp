// Whether a preset is, on this machine, what its name promises.
#pragma once

#include "common/results/results.hpp"

namespace trilane {

/// Says whether the preset's regime holds with these figures, in `comparison.regime` and
/// `regime_held`. Needs the limit: without it nothing changes. Without the reference's times the
/// launch preset is not judged, and says so.
void judge_regime(Comparison& comparison);

}  // namespace trilane
