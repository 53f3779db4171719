// The variables that the kernels of an iteration reach by name.
#pragma once

#include <vector>

#include "common/application/finding/core/application_recorder.hpp"
#include "common/application/iteration/surroundings.hpp"
#include "common/application/replay/memory/known_modules.hpp"

namespace trilane {

/// The __device__ and __constant__ variables of every module that a kernel of the iteration lies
/// in; the driver says where. `iteration` is one of `recording`. Throws NotPossible, naming the
/// kernel, where a module is not known, has memory that cannot be followed, or does on the device
/// what must not be done twice. Modules must not have been unloaded since the iteration.
std::vector<MemoryFacts> module_variables(const KnownModules& modules,
                                          const ApplicationRecording& recording,
                                          const ObservedIteration& iteration);

}  // namespace trilane
