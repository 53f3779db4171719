// The simulated device's choices among the outcomes that the documentation allows.
#pragma once

#include <cstdint>

#include "common/model/workload/random.hpp"

namespace trilane::simulator {

/// Tests replace it to see all outcomes.
class Draw {
 public:
  virtual ~Draw() = default;
  /// Returns the index of the next of `count` ready operations; `count` is at least 2.
  virtual std::size_t next_operation(std::size_t count) = 0;
  /// Returns true if something optional should happen.
  virtual bool may() = 0;
};

/// Makes every choice with equal probability; the same seed gives the same choices.
class RandomDraw final : public Draw {
 public:
  explicit RandomDraw(std::uint64_t seed) : order_(seed), may_(~seed) {}
  std::size_t next_operation(std::size_t count) override { return order_.below(count); }
  bool may() override { return may_.below(2) == 1; }

 private:
  Random order_, may_;
};

}  // namespace trilane::simulator
