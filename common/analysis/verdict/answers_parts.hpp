// Answers that compare workloads instead of variants.
#pragma once

#include <span>
#include <string>

#include "common/results/results.hpp"

namespace trilane {

/// For each workload that ran with several numbers of chunks: with which the reference and the
/// fastest variant are fastest, and whether that is the end of the range. Empty without one.
std::string chunks_answer(std::span<const Comparison> comparisons);

/// For each workload that ran with several settings: how long the reference (or the fastest
/// variant) takes with each, compared with the first. Empty without one.
std::string settings_answer(std::span<const Comparison> comparisons);

}  // namespace trilane
