#include "common/measure/harness/bench/slowed_bench.hpp"

#include "common/device/flavour/flavour.hpp"

namespace trilane {

/// Returns the wall time to report, after keeping the host busy for its share.
double SlowedBench::slowed(std::size_t variant, double wall_us) const {
  if (share_ == 0) return wall_us;
  const double busy_us = timed_us([&] { spend_us(share_ * wall_us); });
  return variant == 1 ? wall_us + busy_us : wall_us;
}

Sample SlowedBench::without_events(std::size_t variant, std::uint32_t batch) {
  Sample sample = CudaBench::without_events(variant, batch);
  sample.wall_us = slowed(variant, sample.wall_us * batch) / batch;
  return sample;
}

}  // namespace trilane
