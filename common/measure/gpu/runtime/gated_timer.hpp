// Device times without launch overhead: work is queued behind a gate and timed between events.
#pragma once

#include <functional>

#include "common/base/text/exit_code.hpp"
#include "common/measure/gpu/runtime/handles.hpp"

namespace trilane {

/// The host waits at every launch (CUDA_LAUNCH_BLOCKING=1, or a sanitizer), so nothing can be
/// queued behind a gate.
struct LaunchesBlock : NotPossible {
  LaunchesBlock();
};

/// Returns the time from `first` to `last` in microseconds. The device must have passed both
/// events.
double elapsed_us(const Event& first, const Event& last);

class GatedTimer {
 public:
  /// Returns the device time in microseconds of the work that `enqueue` puts on `stream`; all of it
  /// is queued before any of it runs (see Gate for the limit). Throws CudaError and LaunchesBlock.
  double time_us(cudaStream_t stream, const std::function<void()>& enqueue) const;

  /// Returns the event recorded directly behind the gate.
  const Event& start() const { return start_; }

 private:
  Event start_ = make_timing_event(), stop_ = make_timing_event();
};

}  // namespace trilane
