// Compares runs of one pass in several numbers of chunks.
#pragma once

#include <span>
#include <string>

#include "common/results/results.hpp"

namespace trilane {

/// For each workload with several numbers of chunks: the number with which each variant is fastest,
/// and the one with the lowest bound by the formula, at the rates of the run whose bound is lowest.
/// Empty without such a workload.
std::string series_section(std::span<const Comparison> comparisons, const std::string& simulated);

}  // namespace trilane
