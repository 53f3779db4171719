// A bench that slows one variant by a known share, to test whether that is detected.
#pragma once

#include <utility>

#include "common/measure/harness/bench/cuda_bench.hpp"

namespace trilane {

/// Lengthens the wall times of the second variant by exactly this share: after each pass the host
/// stays busy. (Within submit the device would hide it.) The same busy time follows other variants,
/// unmeasured, because a device that idles longer is slower afterwards. Submit and device times
/// stay as they are. A share of 0 changes nothing.
class SlowedBench final : public CudaBench {
 public:
  /// Owns the host buffers and draws the first input, as CudaBench does.
  SlowedBench(const Workload& workload, std::vector<VariantEntry> variants, std::uint64_t seed,
              double share)
      : CudaBench(workload, std::move(variants), seed), share_(share) {}

  double pass(std::size_t variant) override { return slowed(variant, CudaBench::pass(variant)); }

 private:
  Sample without_events(std::size_t variant, std::uint32_t batch) override;
  double slowed(std::size_t variant, double wall_us) const;

  double share_;
};

}  // namespace trilane
