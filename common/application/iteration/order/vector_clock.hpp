// What is known to be done: of each stream, how many of its operations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace trilane {

/// One count for each stream; a default one has all 0.
class VectorClock {
 public:
  VectorClock() = default;
  explicit VectorClock(std::size_t streams) : done_(streams) {}

  std::uint32_t operator[](std::size_t stream) const { return done_[stream]; }
  void set(std::size_t stream, std::uint32_t count) { done_[stream] = count; }

  /// Adds what the other knows. Returns whether that was more.
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
