// The answer on one screen, for a terminal of 100 columns.
#pragma once

#include <string>

#include "common/results/results.hpp"

namespace trilane {

/// The answers of a finished run. Several workloads: at most 40 lines, with a row for each; one
/// workload: at most 25 lines, with a row for each variant that matters. Then a line each for
/// graph, pool and engines, and what makes the figures doubtful. `more` is the command that shows
/// the rest; the line with it is left out if it is empty.
std::string screen(const Results& results, const std::string& more);

/// The answers alone, one per line.
std::string answers_only(const Results& results);

}  // namespace trilane
