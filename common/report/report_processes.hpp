// What a table says of several processes.
#pragma once

#include <string>

#include "common/results/results.hpp"

namespace trilane {

/// How the intervals come about, and for each variant the medians of the fastest and the slowest
/// process, as an entry of a list; empty for one process.
std::string process_notes(const Comparison& comparison);

}  // namespace trilane
