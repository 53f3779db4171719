// What a call asks for, looked at and made into a task: the same for streams and graph nodes. Each
// throws Refusal for what is asked for wrongly.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "common/device/simulator/machine/machine.hpp"

namespace trilane::simulator {

/// One copy, with its addresses looked at.
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

/// A copy of at least one byte. Refused (cudaErrorInvalidValue) where memory is missing or does not
/// match `kind`.
Copy look_at(Machine& machine, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);

Task task_of(const Copy& copy);

/// `count` elements, at least one, of 1, 2 or 4 bytes each, set to the low bytes of `value`.
Task memset_task(Machine& machine, void* to, unsigned value, std::size_t element_bytes,
                 std::size_t count);

}  // namespace trilane::simulator
