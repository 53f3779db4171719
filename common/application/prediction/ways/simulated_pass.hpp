// Ways to run a recorded iteration on the simulated device.
#pragma once

#include <memory>

#include "common/application/iteration/records/application_recording.hpp"
#include "common/application/iteration/records/simulated_times.hpp"

namespace trilane {

class SimulatedPass {
 public:
  SimulatedPass() = default;
  SimulatedPass(const SimulatedPass&) = delete;
  SimulatedPass& operator=(const SimulatedPass&) = delete;
  virtual ~SimulatedPass() = default;

  /// One iteration, with the host's own time and its waits. What the runtime's code takes is in the
  /// profile's calls.
  virtual void run() = 0;
};

/// Makes one; `recording` must live as long. Throws CudaError, OutOfMemory and std::bad_alloc. The
/// recording must not be one that why_not_simulated() refuses.
std::unique_ptr<SimulatedPass> make_pass(SimulatedWay way, const ApplicationRecording& recording);

}  // namespace trilane
