// Reports traced passes.
#pragma once

#include <string>

#include "common/results/results.hpp"

namespace trilane {

/// Two tables under a heading, at most 80 columns: the times of the traced passes and what tracing
/// added; and overlap, use of the engines and what operations waited for most. Empty if nothing was
/// traced. `simulated` as for table().
std::string timeline_section(const Comparison& comparison, const std::string& simulated);

}  // namespace trilane
