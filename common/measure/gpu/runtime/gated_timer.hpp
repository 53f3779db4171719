// Device times without launch overhead: work is queued behind a gate and timed between events.
#pragma once

#include <driver_types.h>

#include "common/base/text/exit_code.hpp"
#include "common/measure/gpu/runtime/handles.hpp"

namespace trilane {

/// Holds a stream back until it is opened, so that work is queued before any of it runs. A stream
/// accepts about 1,000 operations behind a closed gate; at the next one the host blocks and cannot
/// open the gate. With CUDA_LAUNCH_BLOCKING=1 and under some sanitizers it blocks at every launch.
/// A gate therefore opens automatically after `patience_s`.
class Gate : boost::noncopyable {
 public:
  explicit Gate(double patience_s);
  ~Gate();

  /// Makes later work on `stream` wait until the gate opens. May be called once.
  void close(cudaStream_t stream);

  /// Lets the work run. Returns false if the gate had already timed out.
  bool open();

 private:
  struct State;
  std::shared_ptr<State> state_;  // shared with the waiting function, which may outlive the gate
};

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
