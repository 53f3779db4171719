// Tasks from arguments of calls and parameters of graph nodes. Wrong ones make them throw Refusal.
#pragma once

#include <cuda_runtime_api.h>

#include "common/device/simulator/machine/machine.hpp"

namespace trilane::simulator {

/// The rows of a copy, at least one, each of at least one byte.
struct Rows {
  std::size_t bytes;  ///< of a row
  std::size_t count = 1;
  std::size_t to_pitch = 0, from_pitch = 0;  ///< bytes from one row to the next

  std::size_t all_bytes() const { return bytes * count; }
};

/// A copy with the places of its memory.
struct Copy {
  void* to;
  const void* from;
  Rows rows;
  Place to_place = Place::pageable, from_place = Place::pageable;
  int to_device = 0, from_device = 0;

  bool within_host() const { return !is_on_device(to_place) && !is_on_device(from_place); }
  bool between_devices() const {
    return is_on_device(to_place) && is_on_device(from_place) && to_device != from_device;
  }
  bool from_pageable() const { return from_place == Place::pageable && is_on_device(to_place); }
  bool to_pageable() const { return to_place == Place::pageable && is_on_device(from_place); }
  Kind kind() const;
};

/// Returns the place of an access. Refuses it (cudaErrorInvalidValue) unless all of it exists.
Place place_of(Machine& machine, const Access& access, const char* task);

/// Refuses (cudaErrorInvalidValue) memory that is missing or does not match `kind`.
Copy look_at(Machine& machine, void* to, const void* from, const Rows& rows, cudaMemcpyKind kind);

Task task_of(const Machine& machine, const Copy& copy);

void move(const Copy& copy);

/// Sets `count` elements, at least one, of 1, 2 or 4 bytes to the low bytes of `value`.
Task memset_task(Machine& machine, void* to, unsigned value, std::size_t element_bytes,
                 std::size_t count);

/// Returns the bytes of these accesses in device memory and in host memory.
Traffic traffic_of(const std::vector<Access>& accesses, const Memory& memory);

/// Returns a launch of the kernel behind `function`, with a copy of its arguments. Refuses an
/// impossible grid or block with `wrong`.
Task kernel_task(Machine& machine, const void* function, dim3 grid, dim3 block,
                 std::size_t shared_bytes, void** arguments,
                 cudaError_t wrong = cudaErrorInvalidConfiguration);

/// Return tasks from the parameters of graph nodes. Each throws Refusal: cudaErrorInvalidValue or
/// cudaErrorInvalidDeviceFunction for wrong parameters, and cudaErrorNotSupported, with a message,
/// for arrays, volumes and memsets of more than one dimension, which are not modelled.
TaskPtr kernel_node_task(Machine& machine, const cudaKernelNodeParams* parameters);

TaskPtr copy_node_task(Machine& machine, void* to, const void* from, std::size_t bytes,
                       cudaMemcpyKind kind);

TaskPtr copy_node_task(Machine& machine, const cudaMemcpy3DParms* parameters);

TaskPtr memset_node_task(Machine& machine, const cudaMemsetParams* parameters);

}  // namespace trilane::simulator
