// A gate: holds a stream back until it is opened, so that work can be queued before any of it runs.
#pragma once

#include <driver_types.h>

#include <atomic>
#include <memory>

namespace trilane {

/// At most about 1,000 operations may be queued on a stream behind a closed gate: the host would
/// block before it can open it.
class Gate {
 public:
  Gate() = default;
  ~Gate() { open(); }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  /// What `stream` gets from now on waits until the gate opens.
  void close(cudaStream_t stream);

  /// Lets everything pass. Callable from any thread.
  void open();

 private:
  // Shared with what waits: it may still be waking up when the gate is gone.
  std::shared_ptr<std::atomic<bool>> open_;
};

}  // namespace trilane
