// Tasks from the arguments of calls. Each function throws Refusal for wrong arguments.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "common/device/simulator/machine/machine.hpp"

namespace trilane::simulator {

/// A copy with the places of its memory.
struct Copy {
  void* to;
  const void* from;
  std::size_t bytes;
  Place to_place, from_place;

  bool within_host() const { return !is_on_device(to_place) && !is_on_device(from_place); }
  bool from_pageable() const { return from_place == Place::pageable && is_on_device(to_place); }
  bool to_pageable() const { return to_place == Place::pageable && is_on_device(from_place); }
  Kind kind() const;
};

/// A copy of at least one byte. Refuses (cudaErrorInvalidValue) memory that is missing or does not
/// match `kind`.
Copy look_at(Machine& machine, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);

Task task_of(const Copy& copy);

/// Sets `count` elements, at least one, of 1, 2 or 4 bytes to the low bytes of `value`.
Task memset_task(Machine& machine, void* to, unsigned value, std::size_t element_bytes,
                 std::size_t count);

}  // namespace trilane::simulator
