// The free choices of the simulated device.
#pragma once

#include <cstdint>

#include "common/workload/random.hpp"

namespace trilane::simulator {

/// Chooses among legal outcomes. Tests script it to see all of them.
class Draw {
 public:
  virtual ~Draw() = default;
  /// The index of the next of `count` ready operations; `count` is at least 2.
  virtual std::size_t next_operation(std::size_t count) = 0;
  /// Whether something happens that may happen by the documentation.
  virtual bool may() = 0;
};

/// Every choice is equally likely; the same seed gives the same choices.
class RandomDraw final : public Draw {
 public:
  explicit RandomDraw(std::uint64_t seed) : order_(seed), may_(~seed) {}
  std::size_t next_operation(std::size_t count) override { return order_.below(count); }
  bool may() override { return may_.below(2) == 1; }

 private:
  Random order_, may_;
};

}  // namespace trilane::simulator
