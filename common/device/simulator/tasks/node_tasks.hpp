// Tasks from the parameters of graph nodes. Each function throws Refusal: cudaErrorInvalidValue or
// cudaErrorInvalidDeviceFunction for wrong parameters, and cudaErrorNotSupported, with a message,
// for arrays and more than one dimension, which are not modelled.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>

#include "common/device/simulator/machine/machine.hpp"

namespace trilane::simulator {

using TaskPtr = std::shared_ptr<const Task>;

TaskPtr kernel_node_task(const Machine& machine, const cudaKernelNodeParams* parameters);

TaskPtr copy_node_task(Machine& machine, void* to, const void* from, std::size_t bytes,
                       cudaMemcpyKind kind);

TaskPtr copy_node_task(Machine& machine, const cudaMemcpy3DParms* parameters);

TaskPtr memset_node_task(Machine& machine, const cudaMemsetParams* parameters);

}  // namespace trilane::simulator
