// What to try next, by what limits a variant.
#pragma once

#include <string>

#include "common/analysis/limits/loads.hpp"

namespace trilane {

/// Where that limits the measurement, as part of a sentence. `load.us` counts for the copy engines
/// and the SMs. Throws std::logic_error for what sets bounds only.
std::string next_step(const Load& load, const Comparison& comparison, const Measurement& m);

}  // namespace trilane
