// One call of the driver, and the streams, memory, kernels and graphs that it names. Microseconds.
#pragma once

#include <compare>

#include "common/application/iteration/call_kinds.hpp"
#include "common/base/json/ranges.hpp"

namespace trilane {

struct RecordedStream {
  StreamKind kind = StreamKind::blocking;
  std::int32_t priority = 0;
};
BOOST_DESCRIBE_STRUCT(RecordedStream, (), (kind, priority))

/// A piece of memory that an operation of the iteration uses.
struct RecordedMemory {
  MemoryKind kind = MemoryKind::unknown;
  std::uint64_t bytes = 0;  ///< 0: unknown
  bool within = false;      ///< allocated and freed in the iteration
};
BOOST_DESCRIBE_STRUCT(RecordedMemory, (), (kind, bytes, within))

/// A kernel's parameter: its size, and how its value varies in the whole recording.
struct RecordedParameter {
  std::uint64_t bytes = 0;
  bool pointer = false;  ///< its value pointed into memory that the recorder knows
};
BOOST_DESCRIBE_STRUCT(RecordedParameter, (), (bytes, pointer))

struct RecordedKernel {
  std::string name;  ///< demangled
  std::vector<RecordedParameter> parameters;
  std::uint32_t registers = 0;
  std::uint64_t static_shared_bytes = 0;
  /// For programmatic launches: the code holds the call, or may; absent: it is not known.
  std::optional<bool> waits_for_previous{}, triggers_next{};
};
BOOST_DESCRIBE_STRUCT(RecordedKernel, (),
                      (name, parameters, registers, static_shared_bytes, waits_for_previous,
                       triggers_next))
TRILANE_RANGES(RecordedKernel, Within<&R::name>{text_range})

/// A range of memory that an operation uses.
struct UsedRange {
  std::uint32_t memory = 0;  ///< index in ApplicationRecording::memory
  std::uint64_t offset = 0, bytes = 0;
  Use use = Use::may_use;
};
BOOST_DESCRIBE_STRUCT(UsedRange, (), (memory, offset, bytes, use))

/// Returns true if both ranges hold one of the bytes.
constexpr bool overlap(const UsedRange& one, const UsedRange& other) {
  return one.memory == other.memory && one.offset < other.offset + other.bytes &&
         other.offset < one.offset + one.bytes;
}

/// Returns true if operations that use these ranges must keep their order.
constexpr bool conflict(const UsedRange& one, const UsedRange& other) {
  return overlap(one, other) && (one.use != Use::reads || other.use != Use::reads);
}

/// The attributes that a program gives to a launch; those not given keep their initial values.
struct LaunchAttributes {
  bool cooperative = false;
  /// It may begin before the previous kernel in its stream is done.
  bool programmatic = false;
  std::vector<std::uint32_t> cluster{};    ///< blocks in each dimension: three numbers, or none
  std::optional<std::int32_t> priority{};  ///< overrides the stream's
  std::uint32_t others = 0;                ///< others that a graph's node keeps
  std::uint32_t unknown = 0;               ///< ones unknown to the recorder
  auto operator<=>(const LaunchAttributes&) const = default;
};
BOOST_DESCRIBE_STRUCT(LaunchAttributes, (),
                      (cooperative, programmatic, cluster, priority, others, unknown))

/// Throws a Misfit unless a cluster has three numbers above 0.
void cross_check(const LaunchAttributes& attributes);

/// One call of the iteration. Members that do not apply to its kind keep their initial values.
struct RecordedCall {
  CallKind kind = CallKind::other;
  std::string name;     ///< of the driver's function, for people
  std::string runtime;  ///< of the runtime's function around it; empty: a call to the driver
  /// From the iteration's start; the median over the repetitions with device times, or over all if
  /// none exist. The same holds for the following times.
  double start_us = 0;
  double host_us = 0;  ///< duration of the call
  /// For a traced operation. Without a start: a replay timed the operation by itself.
  std::optional<double> device_start_us, device_us;
  /// The application's own time before the call, and the call's duration. Both are measured without
  /// taking device times, which makes calls longer, and exclude the recorder's cost.
  std::optional<double> own_us, call_us;
  /// Time before the call in functions of the CUDA runtime, including those without a recorded
  /// call. Absent if not measured: then `own_us` includes it.
  std::optional<double> runtime_us;
  std::uint32_t stream = 0;  ///< index in ApplicationRecording::streams
  std::uint32_t event = 0;   ///< number of an event, from 0
  std::uint64_t bytes = 0;   ///< copied, set or allocated
  bool synchronous = false;  ///< a copy or memset by a function that is not one of the Async ones
  std::uint32_t value = 0;   ///< for a memset
  std::uint32_t kernel = 0;  ///< index in ApplicationRecording::kernels
  std::vector<std::uint32_t> grid, block;      ///< three numbers each
  std::uint64_t shared_bytes = 0;              ///< dynamic
  std::optional<LaunchAttributes> attributes;  ///< of a kernel; absent: it has none
  std::optional<std::uint32_t> graph;          ///< of a launch: index in `graphs`; absent: unknown
  /// For a launch: the executable graph, from 0, whose launches CUDA orders one after the other.
  std::optional<std::uint32_t> executable;
  /// Ranges of memory that the call uses. Those of copies and memsets are exact, from first to last
  /// byte; kernels may use memory from where an argument points to its end. A batch lists the
  /// ranges of its copies, one after the other.
  std::vector<UsedRange> uses;
  std::vector<Variation> arguments;          ///< of a kernel, by parameter
  Variation pointers = Variation::constant;  ///< of a copy, memset or allocation: its addresses; of
                                             ///< a graph: its nodes' addresses and arguments
  std::string refusal;  ///< why no replay can repeat the call, in words; empty: one can
  std::optional<std::uint32_t> stack;  ///< index in RecordedSource::stacks; absent: unknown
  /// True for a copy like the call before, both of whose ranges begin where those of that call end.
  std::optional<bool> adjoins;
};
BOOST_DESCRIBE_STRUCT(RecordedCall, (),
                      (kind, name, runtime, start_us, host_us, device_start_us, device_us, own_us,
                       call_us, runtime_us, stream, event, bytes, synchronous, value, kernel, grid,
                       block, shared_bytes, attributes, graph, executable, uses, arguments,
                       pointers, refusal, stack, adjoins))
TRILANE_RANGES(RecordedCall, Within<&R::refusal>{text_range},
               Within<&R::device_start_us>{either_way_us})

/// Returns the first range that the call uses in that way; null: none.
inline const UsedRange* first_used(const RecordedCall& call, Use use) {
  const auto found = std::ranges::find(call.uses, use, &UsedRange::use);
  return found == call.uses.end() ? nullptr : &*found;
}

/// Returns true if the known ranges of the two calls conflict.
inline bool conflict(const RecordedCall& one, const RecordedCall& other) {
  return std::ranges::any_of(one.uses, [&](const UsedRange& a) {
    return std::ranges::any_of(other.uses, [&](const UsedRange& b) { return conflict(a, b); });
  });
}

/// Returns true if an argument or a pointer of the call varies between iterations.
inline bool varies(const RecordedCall& call) {
  return call.pointers != Variation::constant ||
         std::ranges::any_of(call.arguments, [](Variation v) { return v != Variation::constant; });
}

/// Returns how many copies the call makes: several for a batch.
inline std::size_t copies_in(const RecordedCall& call) {
  return call.kind == CallKind::copy ? call.uses.size() / 2 : 0;
}

/// Throws a Misfit if anything but a kernel has a grid and a block of three numbers, if a kernel
/// lacks them, or if there is runtime_us without own_us.
void cross_check(const RecordedCall& call);

/// One operation of a graph. Its members mean the same as those of RecordedCall. Nodes of child
/// graphs are nodes of the graph itself; empty and disabled nodes are left out.
struct RecordedNode {
  CallKind kind = CallKind::other;
  std::uint64_t bytes = 0;
  std::uint32_t value = 0;
  std::uint32_t kernel = 0;
  std::vector<std::uint32_t> grid, block;
  std::uint64_t shared_bytes = 0;
  std::vector<UsedRange> uses;
  std::vector<std::uint32_t> after;  ///< its direct predecessors
};
BOOST_DESCRIBE_STRUCT(RecordedNode, (),
                      (kind, bytes, value, kernel, grid, block, shared_bytes, uses, after))

struct RecordedGraph {
  std::vector<RecordedNode> nodes;
};
BOOST_DESCRIBE_STRUCT(RecordedGraph, (), (nodes))

/// Returns a call or a node without predecessors with what `from`, a node or call, says of its
/// operation.
template <typename To>
To operation_from(const auto& from) {
  To to;
  to.kind = from.kind;
  to.bytes = from.bytes;
  to.value = from.value;
  to.kernel = from.kernel;
  to.grid = from.grid;
  to.block = from.block;
  to.shared_bytes = from.shared_bytes;
  to.uses = from.uses;
  return to;
}

/// Returns the node as a call that issues the same operation.
inline RecordedCall operation_of(const RecordedNode& node) {
  return operation_from<RecordedCall>(node);
}

/// Throws a Misfit if the node is a graph launch, if a kernel lacks a grid and a block of three
/// numbers, or if any other node has them.
void cross_check(const RecordedNode& node);
/// Throws a Misfit unless each node follows only earlier ones.
void cross_check(const RecordedGraph& graph);

}  // namespace trilane
