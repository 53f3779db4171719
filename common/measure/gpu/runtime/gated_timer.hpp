// Device times without the host's share: work is queued behind a gate and timed between events.
#pragma once

#include <functional>

#include "common/base/text/exit_code.hpp"
#include "common/measure/gpu/runtime/handles.hpp"

namespace trilane {

/// The host waits at every launch here (CUDA_LAUNCH_BLOCKING=1, or a sanitizer): nothing can be
/// queued behind a gate.
struct LaunchesBlock : NotPossible {
  LaunchesBlock();
};

/// The time from `first` to `last`, two events that the device has passed, in microseconds.
double elapsed_us(const Event& first, const Event& last);

class GatedTimer {
 public:
  /// The device time of what `enqueue` puts on `stream`, in microseconds; all of it is queued
  /// before any of it runs (see Gate for how much that may be). Throws CudaError and LaunchesBlock.
  double time_us(cudaStream_t stream, const std::function<void()>& enqueue) const;

  /// Recorded right behind the gate.
  const Event& start() const { return start_; }

 private:
  Event start_ = make_timing_event(), stop_ = make_timing_event();
};

}  // namespace trilane
