// Compares what a GPU does alone with what it does while the others do the same work.
#pragma once

#include "common/model/results/results.hpp"

namespace trilane {

/// One workload on one GPU: alone, and with all GPUs at work.
struct OnGpu {
  const Comparison *alone = nullptr, *together = nullptr;
  const Comparison* in_one_process = nullptr;  ///< all at work, too; null: not measured

  /// Returns how many times as long the variant takes with all at work; nothing unless it was timed
  /// both ways.
  std::optional<Ratio> longer(const std::string& variant) const;
  /// Returns the variant to use alone, and with all at work; empty without one.
  std::string best_alone() const;
  std::string best_together() const;
  /// Returns the variant whose times are shown: the reference, or the best one alone.
  std::string shown_variant() const;
};

/// Returns each workload on each GPU that was measured both ways, in the order of the comparisons.
std::vector<OnGpu> on_each_gpu(std::span<const Comparison> comparisons);

/// Sets Measurement::over_processes of each comparison of GPUs in one process.
void compare_with_processes(std::vector<Comparison>& comparisons);

/// Says how much longer passes take while all GPUs work, where another variant is best then, and
/// whether to drive the GPUs from one process or one for each; names `most` of the workloads. Empty
/// unless several GPUs were measured.
std::string gpus_answer(std::span<const Comparison> comparisons, std::size_t most);

}  // namespace trilane
