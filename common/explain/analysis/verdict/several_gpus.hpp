// Compares a GPU alone with all at work, and a pass split over GPUs with the same on one of them.
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

/// One workload on one GPU, and split over several.
struct Split {
  const Comparison *one = nullptr, *over = nullptr;

  double gpus() const { return over->workload.gpu_count(); }
  /// Returns the fastest split variant that was measured on one GPU, too; nullptr without one.
  const Measurement* best() const;
  /// Returns how many times the bytes of one GPU all of them copy, both ways at once; 0 if that was
  /// not measured.
  double copies() const;
};

/// Returns each workload that was measured both ways, in the order of the comparisons.
std::vector<Split> splits_in(std::span<const Comparison> comparisons);

/// Returns the largest number of GPUs over which one is split. A workload with fewer chunks uses no
/// more than these. There must be one.
double most_gpus(std::span<const Split> all);

/// Sets over_one_gpu of all measurements, see there.
void derive_splits(std::span<Comparison> comparisons);

/// Returns "1.93 [1.90, 1.96]": how many times as fast as one GPU. Requires over_one_gpu.
std::string speed_of_split(const Measurement& m);

/// Returns the speed as a share of the number of GPUs: "97%".
std::string efficiency_of_split(const Measurement& m, double gpus);

/// Says how many times as fast the best variant is, on the workload that gains most, what limits it,
/// and whether the GPUs share links. Empty unless passes were split.
std::string split_answer(std::span<const Comparison> comparisons);

}  // namespace trilane
