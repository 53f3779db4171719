// Where the simulated device takes its free choices from.
#pragma once

#include <cstdint>
#include <memory>

#include "common/workload/random.hpp"

namespace trilane::simulator {

/// Which of several legal things happens. Tests script it, to see every one.
class Draw {
 public:
  virtual ~Draw() = default;
  /// Which of `count` ready operations runs next, 0 to count - 1; count is at least 2.
  virtual std::size_t next_operation(std::size_t count) = 0;
  /// Whether something happens that the documentation says may happen.
  virtual bool may() = 0;
};

/// Every choice equally likely, the same for the same seed.
class RandomDraw final : public Draw {
 public:
  explicit RandomDraw(std::uint64_t seed) : order_(seed), may_(~seed) {}
  std::size_t next_operation(std::size_t count) override { return order_.below(count); }
  bool may() override { return may_.below(2) == 1; }

 private:
  Random order_, may_;
};

}  // namespace trilane::simulator
