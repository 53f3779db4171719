// The bytes of a launch's arguments. The driver knows where each parameter lies; it is asked once
// for each kernel.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/application/iteration/surroundings.hpp"

namespace trilane {

/// Where the parameters of a kernel lie, a CUfunction or a CUkernel. Empty if the driver does not
/// say. Valid until the kernels are forgotten.
const std::vector<ParameterPlace>& parameter_places(std::uint64_t function);

/// The arguments, each at its offset, from the parameters of a launch; empty if they are unknown.
/// Valid until the next call. Not safe for several threads at a time.
std::span<const std::byte> gathered_arguments(std::uint64_t function, void** parameters,
                                              void** extra);

/// The attributes of a launch as a recording states them; the same for equal ones, to the end of
/// the process. Null if none says anything. Not safe for several threads at a time.
const LaunchAttributes* recorded_attributes(std::span<const CUlaunchAttribute> attributes);

/// To be called when a module goes: another kernel may get the handle of one of its kernels.
void forget_kernels();

}  // namespace trilane
