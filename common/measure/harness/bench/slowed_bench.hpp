// A bench that slows one variant down by a known share, to see whether that is found.
#pragma once

#include <utility>

#include "common/measure/harness/bench/cuda_bench.hpp"

namespace trilane {

/// The wall times of the second variant are longer by exactly this share: after each pass the host
/// stays busy. (Within submit the device would hide it.) Other variants are followed by the same
/// busy time, unmeasured, because a device that idles longer is slower afterwards. Submit and
/// device times stay as they are. A share of 0 changes nothing.
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
