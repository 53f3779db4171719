// Kinds of things that a recording tells apart, and properties of calls by their kind.
#pragma once

#include "common/base/text/enumerators.hpp"

namespace trilane {

/// The effect of a driver call on the order and the cost of work.
BOOST_DEFINE_FIXED_ENUM_CLASS(CallKind, std::uint8_t, kernel, copy, memset, graph_launch,
                              host_function, record_event,
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
                              map,  ///< memory at an address that the program chose: cuMemMap
                              unmap,
                              change_graph,  ///< makes, changes or releases an executable graph
                              other)         ///< matters to a replay: see RecordedCall::refusal

/// The place of memory and the driver's access to it.
BOOST_DEFINE_FIXED_ENUM_CLASS(
    MemoryKind, std::uint8_t,
    device,    ///< cudaMalloc
    pool,      ///< cudaMallocAsync
    mapped,    ///< cuMemMap
    pinned,    ///< cudaMallocHost or cudaHostRegister
    pageable,  ///< malloc and the like
    managed,
    module,   ///< a __device__ variable
    unknown)  ///< made before the recorder started, or in a way that it does not track

/// The side that the memory certainly belongs to. Managed memory moves.
enum class MemorySide : std::uint8_t { host, device, unknown };
constexpr MemorySide side_of(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::pinned:
    case MemoryKind::pageable: return MemorySide::host;
    case MemoryKind::device:
    case MemoryKind::pool:
    case MemoryKind::mapped:
    case MemoryKind::module: return MemorySide::device;
    case MemoryKind::managed:
    case MemoryKind::unknown: break;
  }
  return MemorySide::unknown;
}
constexpr bool on_host(MemoryKind kind) { return side_of(kind) == MemorySide::host; }
constexpr bool on_device(MemoryKind kind) { return side_of(kind) == MemorySide::device; }

/// The variation of a value between repetitions of the iteration.
BOOST_DEFINE_FIXED_ENUM_CLASS(Variation, std::uint8_t, constant,
                              alternates,  ///< between two or more values in a fixed cycle
                              changes)

/// The use of a range of memory by an operation.
BOOST_DEFINE_FIXED_ENUM_CLASS(
    Use, std::uint8_t, reads, writes,
    may_use)  ///< a kernel's argument points into it: it may read it, write it or neither

/// The order of a stream relative to the legacy default stream.
BOOST_DEFINE_FIXED_ENUM_CLASS(
    StreamKind, std::uint8_t,
    legacy,        ///< the legacy default stream itself
    per_thread,    ///< a thread's own default stream; ordered with the legacy one
    blocking,      ///< made by cudaStreamCreate; ordered with the legacy one
    non_blocking)  ///< not ordered with it
constexpr const char* name_of(StreamKind kind) {
  return kind == StreamKind::non_blocking ? "non-blocking" : words_of_name(kind);
}

/// The part of a call in an iteration. Several kinds share one: what allocates, what frees.
enum class CallRole : std::uint8_t {
  work,  ///< a kernel, copy or memset
  graph_launch,
  host_function,
  record_event,
  wait_event,
  synchronize_stream,
  synchronize_event,
  synchronize_context,
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

/// The operations that a stream takes, and a graph as nodes.
enum class StreamOperation : std::uint8_t { kernel, copy, memset, graph };

/// The memory that a call may use.
enum class MemoryReach : std::uint8_t {
  nothing,
  ranges,    ///< only RecordedCall::uses
  anything,  ///< for example, a kernel may follow a pointer in other memory
};

struct CallTraits {
  CallKind kind = CallKind::other;
  const char* name = "";
  CallRole role = CallRole::other;
  StreamUse stream = StreamUse::none;
  std::optional<StreamOperation> operation{};
  MemoryReach reach = MemoryReach::nothing;
  HostWait wait = HostWait::nothing;        ///< for copies and memsets: see host_wait_of()
  MemoryKind memory = MemoryKind::unknown;  ///< what it allocates or frees
  const char* no_replay = nullptr;          ///< the reason for which no replay can repeat it
};

namespace detail {

/// Returns the traits of each kind, in the order of CallKind.
consteval auto table_of_traits() {
  constexpr auto asks = StreamUse::asks, orders = StreamUse::orders, operates = StreamUse::operates,
                 unnamed = StreamUse::none;
  constexpr auto nothing = MemoryReach::nothing, ranges = MemoryReach::ranges,
                 anything = MemoryReach::anything;
  constexpr auto no_wait = HostWait::nothing, for_all = HostWait::everything;
  constexpr std::nullopt_t none = std::nullopt;
  constexpr auto unknown = MemoryKind::unknown;
  constexpr const char* pinned = "it makes or releases pinned memory in the iteration";
  constexpr const char* mapping = "it maps or unmaps memory in the iteration";
  using Kind = CallKind;
  using Role = CallRole;
  return std::to_array<CallTraits>({
      {Kind::kernel, "kernel", Role::work, operates, StreamOperation::kernel, anything},
      {Kind::copy, "copy", Role::work, operates, StreamOperation::copy, ranges},
      {Kind::memset, "memset", Role::work, operates, StreamOperation::memset, ranges},
      {Kind::graph_launch, "graph launch", Role::graph_launch, operates, StreamOperation::graph,
       anything},
      {Kind::host_function, "host function", Role::host_function, operates, none, anything, no_wait,
       unknown, "it calls a function of the program on the host"},
      {Kind::record_event, "event record", Role::record_event, orders},
      {Kind::wait_event, "stream wait", Role::wait_event, orders},
      {Kind::synchronize_stream, "stream synchronize", Role::synchronize_stream, asks, none,
       nothing, HostWait::stream},
      {Kind::synchronize_event, "event synchronize", Role::synchronize_event, unnamed, none,
       nothing, HostWait::event},
      {Kind::synchronize_context, "context synchronize", Role::synchronize_context, unnamed, none,
       nothing, for_all},
      {Kind::query, "query", Role::query, asks, none, nothing, HostWait::stream_and_event},
      {Kind::allocate, "allocation", Role::allocation, unnamed, none, ranges, no_wait,
       MemoryKind::device},
      {Kind::free, "free", Role::release, unnamed, none, ranges, for_all, MemoryKind::device},
      {Kind::allocate_async, "stream-ordered allocation", Role::allocation, operates, none, ranges,
       no_wait, MemoryKind::pool},
      {Kind::free_async, "stream-ordered free", Role::release, operates, none, ranges, no_wait,
       MemoryKind::pool},
      {Kind::allocate_host, "host allocation", Role::allocation, unnamed, none, ranges, no_wait,
       MemoryKind::pinned, pinned},
      {Kind::free_host, "host free", Role::release, unnamed, none, ranges, for_all,
       MemoryKind::pinned, pinned},
      {Kind::map, "memory mapping", Role::allocation, unnamed, none, ranges, no_wait,
       MemoryKind::mapped, mapping},
      {Kind::unmap, "memory unmapping", Role::release, unnamed, none, ranges, no_wait,
       MemoryKind::mapped, mapping},
      {Kind::change_graph, "graph change", Role::graph_change, unnamed, none, anything},
      {Kind::other, "other", Role::other, unnamed, none, anything, no_wait, unknown,
       "a replay does not know how to repeat it"},
  });
}
inline constexpr auto traits = table_of_traits();

static_assert(std::ranges::equal(traits, enumerators<CallKind>, {}, &CallTraits::kind));

}  // namespace detail

/// Returns the traits of the kind; those without a name behind the last one.
constexpr CallTraits traits_of(CallKind kind) {
  const auto row = static_cast<std::size_t>(kind);
  return row < detail::traits.size() ? detail::traits[row] : CallTraits{};
}

constexpr const char* name_of(CallKind kind) { return traits_of(kind).name; }
constexpr CallRole role_of(CallKind kind) { return traits_of(kind).role; }

/// Returns true if calls of this kind put work into a stream.
constexpr bool is_operation(CallKind kind) { return traits_of(kind).stream == StreamUse::operates; }

/// Returns true if calls of this kind act in their stream: an operation, an event record or wait.
constexpr bool acts_in_stream(CallKind kind) { return traits_of(kind).stream >= StreamUse::orders; }

constexpr bool names_stream(CallKind kind) { return traits_of(kind).stream != StreamUse::none; }
constexpr bool names_event(CallKind kind) {
  return traits_of(kind).stream == StreamUse::orders || traits_of(kind).wait == HostWait::event;
}

/// Returns true if the host only waits in the call. It may wait in other calls too.
constexpr bool only_waits(CallKind kind) {
  const CallRole role = role_of(kind);
  return role == CallRole::synchronize_stream || role == CallRole::synchronize_event ||
         role == CallRole::synchronize_context;
}

/// Returns true if calls of this kind write a known number of bytes: a copy or a memset.
constexpr bool moves_bytes(CallKind kind) {
  return role_of(kind) == CallRole::work && traits_of(kind).reach == MemoryReach::ranges;
}

/// Returns the kind of memory that calls of this kind allocate or free; unknown for others.
constexpr MemoryKind allocated_kind(CallKind kind) { return traits_of(kind).memory; }
constexpr bool allocates(CallKind kind) { return role_of(kind) == CallRole::allocation; }
constexpr bool frees(CallKind kind) { return role_of(kind) == CallRole::release; }

}  // namespace trilane
