// The watchdog of a loop: ends it after an error that prevents any further notification.
#pragma once

#include <driver_types.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "common/base/text/exit_code.hpp"

namespace trilane {

/// The host has had no notification for longer than its patience.
struct NeverTold : WrongResult {
  using WrongResult::WrongResult;
};

/// The loop ends because another of its threads has failed.
struct LoopEnded : WrongResult {
  LoopEnded() : WrongResult("another lane's thread failed") {}
};

/// Each thread of a loop has one.
class Watchdog {
 public:
  /// `ended` is set when any thread of the loop has failed; `patience_us` is on the scale of
  /// now_us(). Both `streams` and `ended` must outlive it.
  Watchdog(const std::vector<cudaStream_t>& streams, const std::atomic<bool>& ended,
           const std::function<bool()>& interrupted, double patience_us);

  /// Must be called repeatedly while waiting for `lanes`. It queries their streams now and then.
  /// Throws CudaError when one has failed, NeverTold when the patience runs out, LoopEnded, and
  /// Interrupted.
  void look(std::span<const std::uint32_t> lanes);

  /// Restarts the patience after a notification.
  void told();

 private:
  void ask(std::span<const std::uint32_t> lanes) const;

  const std::vector<cudaStream_t>& streams_;
  const std::atomic<bool>& ended_;
  const std::function<bool()>& interrupted_;
  double patience_us_, told_us_, asked_us_;
};

}  // namespace trilane
