// Notes on runs in several processes.
#pragma once

#include <string>

#include "common/results/results.hpp"

namespace trilane {

/// How the intervals are made, and each variant's medians in the fastest and the slowest process,
/// as list entries; empty for one process.
std::string process_notes(const Comparison& comparison);

}  // namespace trilane
