// Copies and memsets: what they do to which bytes, and when the host goes on.
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "common/simulator/call.hpp"

namespace trilane::simulator {

namespace {

bool on_device(Place place) {
  return place == Place::device || place == Place::pool || place == Place::graph;
}

/// Whether the program has memory at every byte of a range. A stray pointer must not end the
/// process; mincore tells without touching it.
bool is_mapped(const Range& range) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t begin = range.begin / page * page;
  std::vector<unsigned char> resident((range.end - begin + page - 1) / page);
  return mincore(reinterpret_cast<void*>(begin), range.end - begin, resident.data()) == 0;
}

/// Refuses a call for bytes that have been released, or were never handed out. The hazard check
/// knows which.
[[noreturn]] void refuse_released(Machine& m, const Range& range, Touch touch, const char* call) {
  Operation refused;
  refused.number = m.issued + 1;
  refused.task = std::make_shared<Task>(
      Task{.name = call, .accesses = {{range, touch}}, .work = {}, .kernel = {}});
  refused.lane = "refused";
  m.hazards.check(std::make_shared<Operation>(refused), m.memory);
  refuse(cudaErrorInvalidValue);
}

/// The sort of memory at `range`, all of which must be there.
Place place_of(Machine& m, const Range& range, Touch touch, const char* call) {
  if (range.begin == 0 || range.end < range.begin) refuse(cudaErrorInvalidValue);
  const auto* const begin = reinterpret_cast<const void*>(range.begin);
  const Block block = m.memory.find(begin);
  if (block.place == Place::pageable) {
    if (m.memory.is_own(begin)) refuse_released(m, range, touch, call);
    if (!is_mapped(range)) refuse(cudaErrorInvalidValue);
  } else if (range.end > block.range.end) {
    refuse(cudaErrorInvalidValue);
  }
  return block.place;
}

/// One copy, with its addresses looked at.
struct Copy {
  void* to;
  const void* from;
  std::size_t bytes;
  Place to_place, from_place;

  bool within_host() const { return !on_device(to_place) && !on_device(from_place); }
  bool from_pageable() const { return from_place == Place::pageable && on_device(to_place); }
  bool to_pageable() const { return to_place == Place::pageable && on_device(from_place); }
  Kind kind() const {
    if (on_device(to_place) == on_device(from_place)) return Kind::copy_within;
    return on_device(to_place) ? Kind::copy_in : Kind::copy_out;
  }
};

/// Pinned memory has an address on the device too, so it passes for either.
void check_direction(const Copy& copy, cudaMemcpyKind kind) {
  const bool host_to = !on_device(copy.to_place), host_from = !on_device(copy.from_place);
  const bool device_to = copy.to_place != Place::pageable;
  const bool device_from = copy.from_place != Place::pageable;
  const auto require = [](bool right) {
    if (!right) refuse(cudaErrorInvalidValue);
  };
  switch (kind) {
    case cudaMemcpyHostToHost: return require(host_from && host_to);
    case cudaMemcpyHostToDevice: return require(host_from && device_to);
    case cudaMemcpyDeviceToHost: return require(device_from && host_to);
    case cudaMemcpyDeviceToDevice: return require(device_from && device_to);
    case cudaMemcpyDefault: return;
  }
  refuse(cudaErrorInvalidMemcpyDirection);
}

Copy look_at(Machine& m, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const Copy copy{to, from, bytes, place_of(m, range_of(to, bytes), Touch::write, "copy"),
                  place_of(m, range_of(from, bytes), Touch::read, "copy")};
  check_direction(copy, kind);
  return copy;
}

Task task_of(const Copy& copy) {
  const char* const direction = copy.kind() == Kind::copy_in    ? " in"
                                : copy.kind() == Kind::copy_out ? " out"
                                                                : "";
  return {.kind = copy.kind(),
          .name = fmt::format("copy{} of {} bytes", direction, copy.bytes),
          .accesses = {{range_of(copy.from, copy.bytes), Touch::read},
                       {range_of(copy.to, copy.bytes), Touch::write}},
          .work = [copy] { std::memmove(copy.to, copy.from, copy.bytes); },
          .bytes = copy.bytes,
          .kernel = {},
          .pageable = copy.to_place == Place::pageable || copy.from_place == Place::pageable};
}

/// Reads the source now, into staging memory, instead of when the task runs.
void stage(const Copy& copy, Task& task) {
  const auto* const from = static_cast<const std::byte*>(copy.from);
  const auto staging = std::make_shared<std::vector<std::byte>>(from, from + copy.bytes);
  task.work = [to = copy.to, staging] { std::memcpy(to, staging->data(), staging->size()); };
}

/// CUDA Runtime API, "API synchronization behavior", Memcpy, Asynchronous. From or to pageable
/// memory the call might be synchronous, and may stage the bytes; the measured driver does the one
/// where it copies out and the other where it copies in.
void copy_async(Machine& m, const Copy& copy, cudaStream_t handle) {
  const CUstream_st& stream = stream_of(m, handle);
  Task task = task_of(copy);
  // A graph reads and writes the program's memory whenever it is launched.
  if (stream.capture) return m.enqueue(std::move(task), handle);
  if (copy.from_pageable() && m.moves_data && m.draw->may()) stage(copy, task);
  m.enqueue(std::move(task), handle);
  if (copy.within_host()) return m.wait_for(stream.tail);
  if (copy.from_pageable() || copy.to_pageable()) m.may_wait_for(stream.tail);
  if (copy.to_pageable()) m.clock_waits_for(stream.tail);
}

/// The same section, Synchronous: through the default stream.
void copy_now(Machine& m, const Copy& copy) {
  Task task = task_of(copy);
  if (copy.from_pageable()) {
    m.wait_for(m.tail_of(m.legacy));
    // The program may change its source as soon as the call returns.
    task.accesses.erase(task.accesses.begin());
    if (m.moves_data) stage(copy, task);
    return m.enqueue(std::move(task), nullptr);
  }
  m.enqueue(std::move(task), nullptr);
  if (on_device(copy.to_place) && on_device(copy.from_place)) return;
  m.wait_for(m.legacy.tail);
}

/// Returns the sort of memory that is set.
Place set(Machine& m, void* to, int value, std::size_t bytes, cudaStream_t stream) {
  const Range range = range_of(to, bytes);
  const Place place = place_of(m, range, Touch::write, "memset");
  if (place == Place::pageable) refuse(cudaErrorInvalidValue);
  m.enqueue({.kind = Kind::memset,
             .name = fmt::format("memset of {} bytes", bytes),
             .accesses = {{range, Touch::write}},
             .work = [=] { std::memset(to, value & 0xff, bytes); },
             .bytes = bytes,
             .kernel = {}},
            stream);
  return place;
}

}  // namespace

}  // namespace trilane::simulator

using namespace trilane::simulator;

cudaError_t CUDARTAPI cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                                      cudaStream_t stream) {
  return call("cudaMemcpyAsync", [&](Machine& m) {
    stream_of(m, stream);
    if (bytes > 0) copy_async(m, look_at(m, to, from, bytes, kind), stream);
  });
}

cudaError_t CUDARTAPI cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return call("cudaMemcpy", InCapture::unsafe, [&](Machine& m) {
    if (bytes > 0) copy_now(m, look_at(m, to, from, bytes, kind));
  });
}

cudaError_t CUDARTAPI cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
  return call("cudaMemsetAsync", [&](Machine& m) {
    stream_of(m, stream);
    if (bytes > 0) set(m, to, value, bytes, stream);
  });
}

cudaError_t CUDARTAPI cudaMemset(void* to, int value, size_t bytes) {
  return call("cudaMemset", InCapture::unsafe, [&](Machine& m) {
    // The same section, Memset: asynchronous, except where the target is pinned host memory.
    if (bytes > 0 && !on_device(set(m, to, value, bytes, nullptr))) m.wait_for(m.legacy.tail);
  });
}
