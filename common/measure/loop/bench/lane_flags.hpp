// A word of mapped host memory for each lane, which the device sets to 0 when the lane is done.
#pragma once

#include <cstdint>
#include <span>

#include "common/measure/gpu/runtime/handles.hpp"
#include "common/measure/loop/bench/watchdog.hpp"

namespace trilane {

class LaneFlags {
 public:
  /// Throws CudaError if the memory is not mapped.
  explicit LaneFlags(std::size_t lanes);

  /// Raises the lane's flag. No pending device work may write it.
  void raise(std::uint32_t lane);

  /// Returns the address of the word that the device sets to 0.
  std::uint32_t* on_device(std::uint32_t lane) const { return device_ + lane * words_apart; }

  /// Polls until the flag of one of `lanes` is down, and returns that lane. Only `watchdog` calls
  /// the runtime.
  std::uint32_t poll(std::span<const std::uint32_t> lanes, Watchdog& watchdog) const;

 private:
  static constexpr std::size_t words_apart = 32;  // two cache lines, which are fetched in pairs

  PinnedBuffer memory_;
  std::uint32_t *host_, *device_;
};

}  // namespace trilane
