// The raw samples as CSV, for spreadsheets.
#pragma once

#include <string>

#include "common/results/results.hpp"

namespace trilane {

/// One line per raw sample, with RFC 4180 quoting:
/// preset,variant,status,process,round,after,submit_us,device_us,wall_us,simulated.
/// `after` is the variant whose turn came before, or empty. A measurement without samples has one
/// line with the six fields from process to wall_us empty. `simulated` is context.simulated. Throws
/// std::invalid_argument on a number that is not finite.
std::string to_csv(const Results& results);

}  // namespace trilane
