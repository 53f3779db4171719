// Parts of the answers, each in a file of its own.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/explain/analysis/verdict/answers.hpp"

namespace trilane {

/// A variant with a change, and multi-stream code without it, on one workload.
struct Seen {
  std::string workload, variant;
  Ratio ratio;
  double saved_us = 0;                  ///< per pass
  std::optional<BreakEven> break_even;  ///< where multi-stream code is the reference
};
using All = std::vector<Seen>;

/// Every timed variant with the change, where it can be told from multi-stream code.
All seen_with(std::span<const Comparison> comparisons, Change change);

/// A label as it stands among others with commas between them: "launch/pageable".
std::string in_list(std::string label);

/// "5.2x as long on balanced, 2.4x on transfer and 4 more": costs with the names that they are on,
/// in that order, and `most` of them.
std::string each_cost(const std::vector<std::pair<double, std::string>>& costs, std::size_t most);

/// What memory per chunk costs, from a pool, with a release threshold of 0, and by cudaMalloc; with
/// several pool policies each by its name. Empty without such a variant.
std::string pool_answer(std::span<const Comparison> comparisons, std::size_t most);

/// For each setting of workloads that ran with several: how long the reference (or the fastest
/// variant) takes with it, compared with the first. Empty without one.
std::string settings_answer(std::span<const Comparison> comparisons, std::size_t most);

}  // namespace trilane
