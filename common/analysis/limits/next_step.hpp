// What to try next, by what limits a variant.
#pragma once

#include <string>

#include "common/analysis/limits/loads.hpp"

namespace trilane {

/// Where that load takes more than half of the wall time, as part of a sentence.
std::string next_step(const Load& load, const Comparison& comparison, const Measurement& m);

inline constexpr char in_parts[] = "a few parts instead of one, so that copies and kernels overlap";

/// Where kernels are so short that starting them is a good part of it.
std::string fewer_kernels(const Comparison& comparison);

/// A profiler on the program that holds that variant alone.
std::string profile(const Measurement& m);

}  // namespace trilane
