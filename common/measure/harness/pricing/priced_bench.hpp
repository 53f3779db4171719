// A bench that also shows what set-ups consist of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/measure/gpu/runtime/phase.hpp"
#include "common/measure/rounds/bench.hpp"

namespace trilane {

class PricedBench : public LocalBench {
 public:
  /// pass(), but logs the phases, which takes some time itself.
  virtual double pass_by_phase(std::size_t variant) = 0;
  /// Returns the phases of the latest set-up or pass_by_phase(). They may not add up to all of its
  /// time.
  virtual const std::vector<PhaseTime>& phases() = 0;
  /// Returns the free device memory; other processes on the device use some of it too.
  virtual std::uint64_t free_bytes() = 0;
};

}  // namespace trilane
