// What makes the figures of a run doubtful, and how to settle it.
#pragma once

#include <string>
#include <vector>

#include "common/results/results.hpp"

namespace trilane {

/// A sentence each, the gravest first, with the option or command that settles it where there is
/// one: other processes on the GPU, throttled or changed clocks, regimes that do not hold,
/// intervals still wide when the time was up, and what one process leaves open. Empty for
/// simulated times, which have their own reservation.
std::vector<std::string> doubts_about(const Results& results);

}  // namespace trilane
