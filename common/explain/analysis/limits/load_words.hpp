// What a load takes, in words.
#pragma once

#include <string>

#include "common/explain/analysis/limits/loads.hpp"

namespace trilane {

/// "copies in take 5421 of its 5588 us, at 49.5 GB/s": part of a sentence. Throws std::logic_error
/// for a limiter that is no load.
std::string words_of(const Load& load, const Comparison& comparison, const Measurement& m);

}  // namespace trilane
