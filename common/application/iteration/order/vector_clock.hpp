// Counts how many operations of each stream are known to be done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace trilane {

/// One count for each stream; all 0 by default.
class VectorClock {
 public:
  VectorClock() = default;
  explicit VectorClock(std::size_t streams) : done_(streams) {}

  std::uint32_t operator[](std::size_t stream) const { return done_[stream]; }
  void set(std::size_t stream, std::uint32_t count) { done_[stream] = count; }

  /// Adds what the other knows. Returns true if that was more.
  bool join(const VectorClock& other) {
    bool more = false;
    for (std::size_t i = 0; i < other.done_.size(); ++i) {
      if (other.done_[i] <= done_[i]) continue;
      done_[i] = other.done_[i];
      more = true;
    }
    return more;
  }

 private:
  std::vector<std::uint32_t> done_;
};

}  // namespace trilane
