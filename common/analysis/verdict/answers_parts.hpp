// Parts of the answers, each in a file of its own.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/analysis/verdict/answers.hpp"

namespace trilane {

inline constexpr std::size_t most_detailed = 3;  ///< workloads, so that an answer stays short

/// A variant with a change, and multi-stream code without it, on one workload.
struct Seen {
  std::string workload, variant;
  Ratio ratio;
  std::optional<BreakEven> break_even;  ///< where multi-stream code is the reference
};
using All = std::vector<Seen>;

/// Every timed variant with the change, where it can be told from multi-stream code.
All seen_with(std::span<const Comparison> comparisons, Change change);

/// What memory per chunk costs, from a pool, with a release threshold of 0, and by cudaMalloc; with
/// several pool policies each by its name. Empty without such a variant.
std::string pool_answer(std::span<const Comparison> comparisons);

/// For each workload that ran with several settings: how long the reference (or the fastest
/// variant) takes with each, compared with the first. Empty without one.
std::string settings_answer(std::span<const Comparison> comparisons);

}  // namespace trilane
