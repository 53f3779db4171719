// The watchdog of a loop: ends it when an error means that nothing tells the host any more.
#pragma once

#include <driver_types.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "common/base/text/exit_code.hpp"

namespace trilane {

/// Nothing told the host for longer than it is willing to wait.
struct NeverTold : WrongResult {
  using WrongResult::WrongResult;
};

/// The loop ends because another thread of it has failed.
struct LoopEnded : WrongResult {
  LoopEnded() : WrongResult("another lane's thread failed") {}
};

/// Each thread of a loop has one.
class Watchdog {
 public:
  /// `ended` is set when any thread of the loop has failed; `patience_us` are microseconds of
  /// now_us(). Both `streams` and `ended` must outlive it.
  Watchdog(const std::vector<cudaStream_t>& streams, const std::atomic<bool>& ended,
           const std::function<bool()>& interrupted, double patience_us);

  /// To be called again and again by whoever waits for `lanes`. Now and then it asks their streams.
  /// Throws CudaError when one has failed, NeverTold when the patience is at its end, LoopEnded,
  /// and Interrupted.
  void look(std::span<const std::uint32_t> lanes);

  /// A lane was done: the patience begins anew.
  void told();

 private:
  void ask(std::span<const std::uint32_t> lanes) const;

  const std::vector<cudaStream_t>& streams_;
  const std::atomic<bool>& ended_;
  const std::function<bool()>& interrupted_;
  double patience_us_, told_us_, asked_us_;
};

}  // namespace trilane
