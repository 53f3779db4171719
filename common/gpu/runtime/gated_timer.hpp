// Device times of work that is queued in full before any of it runs.
#pragma once

#include <functional>
#include <stdexcept>

#include "common/gpu/runtime/handles.hpp"

namespace trilane {

/// CUDA_LAUNCH_BLOCKING=1 or a sanitizer makes every launch wait: nothing can be queued.
struct LaunchesBlock : std::runtime_error {
  LaunchesBlock();
};

class GatedTimer {
 public:
  GatedTimer() : start_(make_timing_event()), stop_(make_timing_event()) {}

  /// The device time, in microseconds, of what `enqueue` puts on `origin`, or on streams that it
  /// forks from and joins back into `origin`. A closed gate holds `origin` back meanwhile, so at
  /// most about 900 operations may go on one stream. Throws CudaError and LaunchesBlock.
  double time_us(cudaStream_t origin, const std::function<void()>& enqueue) const;

  /// The event that is recorded right behind the gate.
  cudaEvent_t start() const { return start_.get(); }

  /// The time from start() to `stop`, in microseconds, once both have been reached.
  double us_until(const Event& stop) const;

 private:
  Event start_, stop_;
};

}  // namespace trilane
