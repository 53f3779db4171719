// The raw samples as CSV, for spreadsheets.
#pragma once

#include <string>

#include "common/results/results.hpp"

namespace trilane {

/// One line per raw sample:
/// preset,variant,status,process,round,after,submit_us,device_us,wall_us,simulated; RFC 4180
/// quoting. `after` is the name of the variant whose turn came before, empty for none. A
/// measurement without samples has one line with these six empty. `simulated` is context.simulated.
/// Throws std::invalid_argument on a number that is not finite.
std::string to_csv(const Results& results);

}  // namespace trilane
