// Parts of the answers, each in a file of its own.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/explain/analysis/verdict/answers.hpp"

namespace trilane {

/// A variant with a change, and multi-stream code without it, on one workload.
struct Seen {
  std::string workload, variant;
  Ratio ratio;
  double saved_us = 0;                  ///< per pass
  std::optional<BreakEven> break_even;  ///< if multi-stream code is the reference
};
using All = std::vector<Seen>;

/// Returns every timed variant with the change, if it can be told from multi-stream code.
All seen_with(std::span<const Comparison> comparisons, Change change);

/// Returns a label for a comma-separated list: "launch/pageable".
std::string in_list(std::string label);

/// Says what memory per chunk costs: from a pool, with a release threshold of 0, and by cudaMalloc;
/// with several pool policies each by its name. Empty without such a variant.
std::string pool_answer(std::span<const Comparison> comparisons, std::size_t most);

/// Says for each setting of workloads that ran with several: how long the reference (or the fastest
/// variant) takes with it, compared with the first. Empty without one.
std::string settings_answer(std::span<const Comparison> comparisons, std::size_t most);

}  // namespace trilane
