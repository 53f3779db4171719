// Runs a recorded iteration on the simulated device in various ways.
#pragma once

#include "common/application/iteration/application_recording.hpp"
#include "common/application/iteration/diagnosis.hpp"

namespace trilane {

/// Runs one iteration, with the host's own time and waits; the profile's calls have the runtime's.
using SimulatedPass = std::function<void()>;

/// Makes a pass. `recording` must outlive it, and must not be one that why_not_simulated() refuses.
/// Throws CudaError, OutOfMemory and std::bad_alloc.
SimulatedPass make_pass(SimulatedWay way, const ApplicationRecording& recording);

/// Copies in, copies out, and all other operations.
inline constexpr std::size_t planned_engines = 3;

/// One operation, or a wait of the host.
struct EngineStep {
  std::uint32_t call = 0;    ///< index in ApplicationRecording::calls
  std::uint32_t engine = 0;  ///< for an operation its own; for a wait the one to wait on
  bool operation = true;     ///< otherwise a wait for everything
  std::vector<std::uint32_t> after_calls{};  ///< on other engines; from `call` on, of the previous
  std::vector<std::uint32_t> join{};         ///< for a wait: engines not implied by its own
  bool needed = false;                       ///< an operation on another engine follows it
  bool operator==(const EngineStep&) const = default;
};

/// Returns the steps in call order, as they are once the iteration repeats. Operations that use the
/// same bytes, at least one writing, keep their order. A kernel may use and write what its
/// arguments point into; one without known memory keeps its order with everything.
std::vector<EngineStep> engine_plan(const ApplicationRecording& recording);

}  // namespace trilane
