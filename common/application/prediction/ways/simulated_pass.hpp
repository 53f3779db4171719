// Runs a recorded iteration on the simulated device in various ways.
#pragma once

#include <memory>

#include "common/application/iteration/records/application_recording.hpp"
#include "common/application/iteration/records/diagnosis.hpp"

namespace trilane {

class SimulatedPass {
 public:
  SimulatedPass() = default;
  SimulatedPass(const SimulatedPass&) = delete;
  SimulatedPass& operator=(const SimulatedPass&) = delete;
  virtual ~SimulatedPass() = default;

  /// Runs one iteration, with the host's own time and its waits. The runtime's own time is part of
  /// the profile's calls.
  virtual void run() = 0;
};

/// Makes a pass. `recording` must outlive it, and must not be one that why_not_simulated() refuses.
/// Throws CudaError, OutOfMemory and std::bad_alloc.
std::unique_ptr<SimulatedPass> make_pass(SimulatedWay way, const ApplicationRecording& recording);

}  // namespace trilane
