// Properties of calls that follow from their kind.
#pragma once

#include "common/application/iteration/records/recorded_kinds.hpp"

namespace trilane {

/// The common role of several kinds of calls.
enum class CallRole : std::uint8_t {
  work,  ///< a kernel, copy or memset
  graph_launch,
  host_function,
  event,            ///< a stream records an event or waits for one
  synchronization,  ///< the host only waits
  query,
  allocation,
  release,  ///< of memory
  graph_change,
  other,
};

/// The relation of a call to the stream that it names.
enum class StreamUse : std::uint8_t {
  none,  ///< it names no stream
  asks,  ///< it waits for the stream or queries it
  orders,
  operates,  ///< it puts work into the stream
};

/// The work that the host has waited for once a call returns, as guaranteed by CUDA.
enum class HostWait : std::uint8_t {
  nothing,
  before,  ///< what was in the stream before the call
  itself,  ///< its own operation
  stream,
  event,
  stream_and_event,  ///< a query, which does not say which of them it asked about
  everything,
};

struct CallTraits {
  const char* name = "";
  CallRole role = CallRole::other;
  StreamUse stream = StreamUse::none;
  HostWait wait = HostWait::nothing;        ///< for copies and memsets: see host_wait_of()
  MemoryKind memory = MemoryKind::unknown;  ///< what it allocates or frees
};
constexpr CallTraits traits_of(CallKind kind) {
  switch (kind) {
    case CallKind::kernel: return {"kernel", CallRole::work, StreamUse::operates};
    case CallKind::copy: return {"copy", CallRole::work, StreamUse::operates};
    case CallKind::memset: return {"memset", CallRole::work, StreamUse::operates};
    case CallKind::graph_launch:
      return {"graph launch", CallRole::graph_launch, StreamUse::operates};
    case CallKind::host_function:
      return {"host function", CallRole::host_function, StreamUse::operates};
    case CallKind::record_event: return {"event record", CallRole::event, StreamUse::orders};
    case CallKind::wait_event: return {"stream wait", CallRole::event, StreamUse::orders};
    case CallKind::synchronize_stream:
      return {"stream synchronize", CallRole::synchronization, StreamUse::asks, HostWait::stream};
    case CallKind::synchronize_event:
      return {"event synchronize", CallRole::synchronization, StreamUse::none, HostWait::event};
    case CallKind::synchronize_context:
      return {"context synchronize", CallRole::synchronization, StreamUse::none,
              HostWait::everything};
    case CallKind::query:
      return {"query", CallRole::query, StreamUse::asks, HostWait::stream_and_event};
    case CallKind::allocate:
      return {"allocation", CallRole::allocation, StreamUse::none, HostWait::nothing,
              MemoryKind::device};
    case CallKind::free:
      return {"free", CallRole::release, StreamUse::none, HostWait::everything, MemoryKind::device};
    case CallKind::allocate_async:
      return {"stream-ordered allocation", CallRole::allocation, StreamUse::operates,
              HostWait::nothing, MemoryKind::pool};
    case CallKind::free_async:
      return {"stream-ordered free", CallRole::release, StreamUse::operates, HostWait::nothing,
              MemoryKind::pool};
    case CallKind::allocate_host:
      return {"host allocation", CallRole::allocation, StreamUse::none, HostWait::nothing,
              MemoryKind::pinned};
    case CallKind::free_host:
      return {"host free", CallRole::release, StreamUse::none, HostWait::everything,
              MemoryKind::pinned};
    case CallKind::change_graph: return {"graph change", CallRole::graph_change};
    case CallKind::other: return {"other"};
  }
  return {};
}

constexpr const char* name_of(CallKind kind) { return traits_of(kind).name; }
constexpr CallRole role_of(CallKind kind) { return traits_of(kind).role; }

/// Returns true if calls of this kind put work into a stream.
constexpr bool is_operation(CallKind kind) { return traits_of(kind).stream == StreamUse::operates; }

/// Returns true if calls of this kind act in their stream: an operation, an event record or wait.
constexpr bool acts_in_stream(CallKind kind) { return traits_of(kind).stream >= StreamUse::orders; }

constexpr bool names_stream(CallKind kind) { return traits_of(kind).stream != StreamUse::none; }
constexpr bool names_event(CallKind kind) {
  return role_of(kind) == CallRole::event || traits_of(kind).wait == HostWait::event;
}

/// Returns true if the host only waits in the call. It may wait in other calls too.
constexpr bool only_waits(CallKind kind) { return role_of(kind) == CallRole::synchronization; }

/// Returns the kind of memory that calls of this kind allocate or free; unknown for others.
constexpr MemoryKind allocated_kind(CallKind kind) { return traits_of(kind).memory; }
constexpr bool allocates(CallKind kind) { return role_of(kind) == CallRole::allocation; }
constexpr bool frees(CallKind kind) { return role_of(kind) == CallRole::release; }

}  // namespace trilane
