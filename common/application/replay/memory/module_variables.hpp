// Finds the variables that the kernels of an iteration reach by name.
#pragma once

#include <vector>

#include "common/application/finding/core/application_recorder.hpp"
#include "common/application/iteration/surroundings.hpp"
#include "common/application/replay/memory/known_modules.hpp"

namespace trilane {

/// Returns the __device__ and __constant__ variables of every module with a kernel of the
/// iteration, as located by the driver. `iteration` is one of `recording`. Modules must not have
/// been unloaded since the iteration. Throws NotPossible, naming the kernel, if a module is
/// unknown, has memory that cannot be tracked, or has effects on the device that must not be
/// repeated.
std::vector<MemoryFacts> module_variables(const KnownModules& modules,
                                          const ApplicationRecording& recording,
                                          const ObservedIteration& iteration);

}  // namespace trilane
