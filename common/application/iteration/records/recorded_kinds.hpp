// Enumerates the kinds of things that a recording tells apart.
#pragma once

#include <cstdint>

#include "common/base/text/enumerators.hpp"

namespace trilane {

/// The effect of a driver call on the order and the cost of work.
enum class CallKind : std::uint8_t {
  kernel,
  copy,
  memset,
  graph_launch,
  host_function,
  record_event,
  wait_event,           ///< a stream waits for an event
  synchronize_stream,   ///< the host waits for a stream
  synchronize_event,    ///< the host waits for an event
  synchronize_context,  ///< the host waits for everything
  query,                ///< asks whether a stream or an event is done
  allocate,             ///< device memory, outside stream order
  free,
  allocate_async,  ///< device memory, in stream order
  free_async,
  allocate_host,  ///< pinned memory, or memory pinned by registering
  free_host,
  change_graph,  ///< makes, changes or releases an executable graph
  other,         ///< matters to a replay: see RecordedCall::refusal
};
BOOST_DESCRIBE_ENUM(CallKind, kernel, copy, memset, graph_launch, host_function, record_event,
                    wait_event, synchronize_stream, synchronize_event, synchronize_context, query,
                    allocate, free, allocate_async, free_async, allocate_host, free_host,
                    change_graph, other)
constexpr const char* name_of(CallKind kind);  // see call_kinds.hpp

/// The place of memory and the driver's access to it.
enum class MemoryKind : std::uint8_t {
  device,    ///< cudaMalloc
  pool,      ///< cudaMallocAsync
  pinned,    ///< cudaMallocHost or cudaHostRegister
  pageable,  ///< malloc and the like
  managed,
  module,   ///< a __device__ variable
  unknown,  ///< made before the recorder started, or in a way that it does not track
};
BOOST_DESCRIBE_ENUM(MemoryKind, device, pool, pinned, pageable, managed, module, unknown)

/// The side that the memory certainly belongs to. Managed memory moves.
enum class MemorySide : std::uint8_t { host, device, unknown };
constexpr MemorySide side_of(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::pinned:
    case MemoryKind::pageable: return MemorySide::host;
    case MemoryKind::device:
    case MemoryKind::pool:
    case MemoryKind::module: return MemorySide::device;
    case MemoryKind::managed:
    case MemoryKind::unknown: break;
  }
  return MemorySide::unknown;
}
constexpr bool on_host(MemoryKind kind) { return side_of(kind) == MemorySide::host; }
constexpr bool on_device(MemoryKind kind) { return side_of(kind) == MemorySide::device; }

/// The variation of a value between repetitions of the iteration.
enum class Variation : std::uint8_t {
  constant,
  alternates,  ///< between two or more values in a fixed cycle
  changes,
};
BOOST_DESCRIBE_ENUM(Variation, constant, alternates, changes)

/// The use of a range of memory by an operation.
enum class Use : std::uint8_t {
  reads,
  writes,
  may_use,  ///< a kernel's argument points into it: it may read it, write it or neither
};
BOOST_DESCRIBE_ENUM(Use, reads, writes, may_use)

/// The order of a stream relative to the legacy default stream.
enum class StreamKind : std::uint8_t {
  legacy,        ///< the legacy default stream itself
  per_thread,    ///< a thread's own default stream; ordered with the legacy one
  blocking,      ///< made by cudaStreamCreate; ordered with the legacy one
  non_blocking,  ///< not ordered with it
};
BOOST_DESCRIBE_ENUM(StreamKind, legacy, per_thread, blocking, non_blocking)
constexpr const char* name_of(StreamKind kind) {
  return kind == StreamKind::non_blocking ? "non-blocking" : words_of_name(kind);
}

}  // namespace trilane
