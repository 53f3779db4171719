// What to try next, by what limits a variant.
#pragma once

#include <string>

#include "common/analysis/limits/loads.hpp"

namespace trilane {

/// What to try where the load limits the measurement, as part of a sentence. `load.us` is read only
/// for the copy engines and the SMs. Throws std::logic_error for what only sets bounds.
std::string next_step(const Load& load, const Comparison& comparison, const Measurement& m);

}  // namespace trilane
