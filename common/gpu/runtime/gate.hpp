// A gate: holds a stream back until it is opened, so that work can be queued before any of it runs.
#pragma once

#include <driver_types.h>

#include <memory>

namespace trilane {

/// At most about 1,000 operations may be queued on a stream behind a closed gate. Then the host
/// would block before it can open it, as it does at every launch with CUDA_LAUNCH_BLOCKING=1 or
/// under some sanitizers; so a gate that nobody opens gives way after its patience.
class Gate {
 public:
  explicit Gate(double patience_s);
  ~Gate();
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  /// What `stream` gets from now on waits until the gate opens. Once in a gate's life.
  void close(cudaStream_t stream);

  /// Lets everything pass. False when the gate had given way before.
  bool open();

 private:
  struct State;
  std::shared_ptr<State> state_;  // shared with what waits: it may wake when the gate is gone
};

}  // namespace trilane
