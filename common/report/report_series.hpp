// The end of a run that cuts one pass into several numbers of chunks.
#pragma once

#include <span>
#include <string>

#include "common/results/results.hpp"

namespace trilane {

/// For each workload that was measured in several numbers of chunks, which of them each variant is
/// fastest with, and which has the lowest bound by the formula, at the rates of the run whose bound
/// is lowest. Empty where there is none.
std::string series_section(std::span<const Comparison> comparisons, const std::string& simulated);

}  // namespace trilane
