// What follows from the kind of a call.
#pragma once

#include "common/application/recording/records/recorded_kinds.hpp"

namespace trilane {

/// Whether calls of this kind put work into a stream.
constexpr bool is_operation(CallKind kind) {
  switch (kind) {
    case CallKind::kernel:
    case CallKind::copy:
    case CallKind::memset:
    case CallKind::graph_launch:
    case CallKind::host_function:
    case CallKind::allocate_async:
    case CallKind::free_async: return true;
    case CallKind::record_event:
    case CallKind::wait_event:
    case CallKind::synchronize_stream:
    case CallKind::synchronize_event:
    case CallKind::synchronize_context:
    case CallKind::query:
    case CallKind::allocate:
    case CallKind::free:
    case CallKind::allocate_host:
    case CallKind::free_host:
    case CallKind::change_graph:
    case CallKind::other: return false;
  }
  return false;
}

/// Whether calls of this kind do anything in their stream: an operation, an event record or wait.
constexpr bool acts_in_stream(CallKind kind) {
  return is_operation(kind) || kind == CallKind::record_event || kind == CallKind::wait_event;
}

/// Whether calls of this kind name a stream.
constexpr bool names_stream(CallKind kind) {
  switch (kind) {
    case CallKind::kernel:
    case CallKind::copy:
    case CallKind::memset:
    case CallKind::graph_launch:
    case CallKind::host_function:
    case CallKind::record_event:
    case CallKind::wait_event:
    case CallKind::synchronize_stream:
    case CallKind::query:
    case CallKind::allocate_async:
    case CallKind::free_async: return true;
    case CallKind::synchronize_event:
    case CallKind::synchronize_context:
    case CallKind::allocate:
    case CallKind::free:
    case CallKind::allocate_host:
    case CallKind::free_host:
    case CallKind::change_graph:
    case CallKind::other: return false;
  }
  return false;
}

/// Whether calls of this kind name an event.
constexpr bool names_event(CallKind kind) {
  return kind == CallKind::record_event || kind == CallKind::wait_event ||
         kind == CallKind::synchronize_event;
}

/// The kind of memory that calls of this kind allocate or free; of others, unknown.
constexpr MemoryKind allocated_kind(CallKind kind) {
  switch (kind) {
    case CallKind::allocate:
    case CallKind::free: return MemoryKind::device;
    case CallKind::allocate_async:
    case CallKind::free_async: return MemoryKind::pool;
    case CallKind::allocate_host:
    case CallKind::free_host: return MemoryKind::pinned;
    case CallKind::kernel:
    case CallKind::copy:
    case CallKind::memset:
    case CallKind::graph_launch:
    case CallKind::host_function:
    case CallKind::record_event:
    case CallKind::wait_event:
    case CallKind::synchronize_stream:
    case CallKind::synchronize_event:
    case CallKind::synchronize_context:
    case CallKind::query:
    case CallKind::change_graph:
    case CallKind::other: return MemoryKind::unknown;
  }
  return MemoryKind::unknown;
}

constexpr bool allocates(CallKind kind) {
  return kind == CallKind::allocate || kind == CallKind::allocate_async ||
         kind == CallKind::allocate_host;
}

constexpr bool frees(CallKind kind) {
  return kind == CallKind::free || kind == CallKind::free_async || kind == CallKind::free_host;
}

}  // namespace trilane
