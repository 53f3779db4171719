// What a recording of an application holds: one iteration of its calls to the driver, and what is
// known of the memory, streams and kernels that they name. Plain records: a recording's file, the
// diagnosis and the simulated device know no more. Times are microseconds.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "common/json/ranges.hpp"

namespace trilane {

/// What a call to the driver does to the order and the cost of work.
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
  allocate,             ///< device memory, at once
  free,
  allocate_async,  ///< device memory, in the order of a stream
  free_async,
  allocate_host,  ///< pinned memory, or memory pinned by registering
  free_host,
  other,  ///< that matters to a replay: see RecordedCall::refusal
};
constexpr const char* name_of(CallKind kind) {
  switch (kind) {
    case CallKind::kernel: return "kernel";
    case CallKind::copy: return "copy";
    case CallKind::memset: return "memset";
    case CallKind::graph_launch: return "graph launch";
    case CallKind::host_function: return "host function";
    case CallKind::record_event: return "event record";
    case CallKind::wait_event: return "stream wait";
    case CallKind::synchronize_stream: return "stream synchronize";
    case CallKind::synchronize_event: return "event synchronize";
    case CallKind::synchronize_context: return "context synchronize";
    case CallKind::query: return "query";
    case CallKind::allocate: return "allocation";
    case CallKind::free: return "free";
    case CallKind::allocate_async: return "stream-ordered allocation";
    case CallKind::free_async: return "stream-ordered free";
    case CallKind::allocate_host: return "host allocation";
    case CallKind::free_host: return "host free";
    case CallKind::other: return "other";
  }
  return "";
}

/// Where memory lies and how the driver reaches it.
enum class MemoryKind : std::uint8_t {
  device,    ///< cudaMalloc
  pool,      ///< cudaMallocAsync
  pinned,    ///< cudaMallocHost or cudaHostRegister
  pageable,  ///< malloc and the like
  managed,
  module,   ///< a __device__ variable
  unknown,  ///< made before the recorder looked, or in a way that it does not follow
};
constexpr const char* name_of(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::device: return "device";
    case MemoryKind::pool: return "pool";
    case MemoryKind::pinned: return "pinned";
    case MemoryKind::pageable: return "pageable";
    case MemoryKind::managed: return "managed";
    case MemoryKind::module: return "module";
    case MemoryKind::unknown: return "unknown";
  }
  return "";
}

/// How a value differs from one repetition of the iteration to the next.
enum class Variation : std::uint8_t {
  constant,
  alternates,  ///< between two or more values in a fixed turn
  changes,
};
constexpr const char* name_of(Variation variation) {
  switch (variation) {
    case Variation::constant: return "constant";
    case Variation::alternates: return "alternates";
    case Variation::changes: return "changes";
  }
  return "";
}

/// How an operation uses a range of memory.
enum class Use : std::uint8_t {
  reads,
  writes,
  may_use,  ///< a kernel's argument points into it: it may read it, write it or neither
};
constexpr const char* name_of(Use use) {
  switch (use) {
    case Use::reads: return "reads";
    case Use::writes: return "writes";
    case Use::may_use: return "may use";
  }
  return "";
}

/// How a stream is ordered with the legacy default stream.
enum class StreamKind : std::uint8_t {
  legacy,        ///< the legacy default stream itself
  per_thread,    ///< a thread's own default stream; ordered with the legacy one
  blocking,      ///< made by cudaStreamCreate; ordered with the legacy one
  non_blocking,  ///< not ordered with it
};
constexpr const char* name_of(StreamKind kind) {
  switch (kind) {
    case StreamKind::legacy: return "legacy";
    case StreamKind::per_thread: return "per thread";
    case StreamKind::blocking: return "blocking";
    case StreamKind::non_blocking: return "non-blocking";
  }
  return "";
}

struct RecordedStream {
  StreamKind kind = StreamKind::blocking;
  std::int32_t priority = 0;
  bool operator==(const RecordedStream&) const = default;
};
BOOST_DESCRIBE_STRUCT(RecordedStream, (), (kind, priority))

/// A piece of memory that an operation of the iteration uses.
struct RecordedMemory {
  MemoryKind kind = MemoryKind::unknown;
  std::uint64_t bytes = 0;  ///< 0: not known
  bool within = false;      ///< allocated and freed in the iteration
  bool operator==(const RecordedMemory&) const = default;
};
BOOST_DESCRIBE_STRUCT(RecordedMemory, (), (kind, bytes, within))

/// A kernel's parameter, by its size and by how its value varies in the whole recording.
struct RecordedParameter {
  std::uint64_t bytes = 0;
  bool pointer = false;  ///< its value pointed into memory that the recorder knows
  bool operator==(const RecordedParameter&) const = default;
};
BOOST_DESCRIBE_STRUCT(RecordedParameter, (), (bytes, pointer))

struct RecordedKernel {
  std::string name;  ///< demangled
  std::vector<RecordedParameter> parameters;
  std::uint32_t registers = 0;
  std::uint64_t static_shared_bytes = 0;
  bool operator==(const RecordedKernel&) const = default;
};
BOOST_DESCRIBE_STRUCT(RecordedKernel, (), (name, parameters, registers, static_shared_bytes))
constexpr auto ranges(const RecordedKernel*) {
  return std::tuple{Within<&RecordedKernel::name>{text_range}};
}

/// A range of memory that an operation uses.
struct UsedRange {
  std::uint32_t memory = 0;  ///< index in ApplicationRecording::memory
  std::uint64_t offset = 0, bytes = 0;
  Use use = Use::may_use;
  bool operator==(const UsedRange&) const = default;
};
BOOST_DESCRIBE_STRUCT(UsedRange, (), (memory, offset, bytes, use))

/// One call of the iteration. Members that its kind does not have keep their first value.
struct RecordedCall {
  CallKind kind = CallKind::other;
  std::string name;  ///< of the driver's function, for people
  std::string
      runtime;  ///< of the runtime's function around it; empty: the program called the driver
  double start_us = 0;  ///< from the iteration's start; median over the repetitions, like the next
  double host_us = 0;   ///< that the call took
  std::optional<double> device_start_us, device_us;  ///< of an operation, where it was traced
  std::uint32_t stream = 0;                          ///< index in ApplicationRecording::streams
  std::uint32_t event = 0;                           ///< number of an event, from 0
  std::uint64_t bytes = 0;                           ///< copied, set or allocated
  bool synchronous = false;  ///< a copy or memset by a function that is not one of the Async ones
  std::uint32_t value = 0;   ///< of a memset
  std::uint32_t kernel = 0;  ///< index in ApplicationRecording::kernels
  std::vector<std::uint32_t> grid, block;  ///< three numbers each
  std::uint64_t shared_bytes = 0;          ///< dynamic
  /// Copies and memsets state exact ranges; one of two dimensions the range from its first to its
  /// last byte. Kernels may use from where an argument points to the end of that memory, and
  /// allocations and frees all of the memory that they make or free.
  std::vector<UsedRange> uses;
  std::vector<Variation> arguments;          ///< of a kernel, by parameter
  Variation pointers = Variation::constant;  ///< of a copy, memset or allocation: its addresses
  std::string refusal;  ///< why no replay can repeat the call, in words; empty: it can
  bool operator==(const RecordedCall&) const = default;
};
BOOST_DESCRIBE_STRUCT(RecordedCall, (),
                      (kind, name, runtime, start_us, host_us, device_start_us, device_us, stream,
                       event, bytes, synchronous, value, kernel, grid, block, shared_bytes, uses,
                       arguments, pointers, refusal))
constexpr auto ranges(const RecordedCall*) {
  return std::tuple{Within<&RecordedCall::refusal>{text_range},
                    Within<&RecordedCall::device_start_us>{either_way_us}};
}

/// Throws a Misfit unless kernels, and nothing else, have a grid and a block of three numbers.
void cross_check(const RecordedCall& call);

/// How the iteration was found.
enum class Found : std::uint8_t {
  repeats,  ///< calls that repeat exactly
  range,    ///< the NVTX range that the user named
  none,
};
constexpr const char* name_of(Found found) {
  switch (found) {
    case Found::repeats: return "repeats";
    case Found::range: return "range";
    case Found::none: return "none";
  }
  return "";
}

/// Where the nearest candidate for an iteration broke.
struct BrokenPeriod {
  std::uint64_t calls = 0;    ///< of the candidate
  std::uint64_t repeats = 0;  ///< whole ones that were equal
  std::uint64_t at = 0;       ///< the call, from 0, that differed
  std::string expected, got;  ///< calls, in words
};
BOOST_DESCRIBE_STRUCT(BrokenPeriod, (), (calls, repeats, at, expected, got))
constexpr auto ranges(const BrokenPeriod*) {
  return std::tuple{Within<&BrokenPeriod::expected, &BrokenPeriod::got>{text_range}};
}

/// A call outside or inside the iteration that no replay can repeat, or that shares the process.
struct Refusal {
  std::string call;    ///< "cuMemAllocManaged"
  std::string reason;  ///< in words
  std::uint64_t count = 0;
};
BOOST_DESCRIBE_STRUCT(Refusal, (), (call, reason, count))
constexpr auto ranges(const Refusal*) { return std::tuple{Within<&Refusal::reason>{text_range}}; }

/// The machine that the application ran on.
struct RecordedMachine {
  std::string gpu, driver, cuda, host;
};
BOOST_DESCRIBE_STRUCT(RecordedMachine, (), (gpu, driver, cuda, host))

/// A recording. `calls` is one iteration or, where none was found, the last stretch of calls.
struct ApplicationRecording {
  std::string application;  ///< its command line
  RecordedMachine machine;
  bool simulated = false;  ///< fed by the simulated device
  Found found = Found::none;
  std::string range;                 ///< with Found::range: its name
  std::uint64_t calls_before = 0;    ///< seen before the first repetition
  std::uint64_t iterations = 0;      ///< seen in all, also those that were only counted
  std::uint64_t recorded = 0;        ///< repetitions that the medians are of
  std::vector<double> iteration_us;  ///< the time of each that was timed; at most 1,000
  std::vector<double> watched_us;    ///< the same while only the last call was watched
  /// Without an iteration: what came nearest to one. With one: where it did not go on, before its
  /// device times were taken; then the loop changed its shape, and what is known of it stays.
  std::optional<BrokenPeriod> broken;
  std::string why_none;  ///< the same, in words
  std::vector<RecordedStream> streams;
  std::vector<RecordedMemory> memory;
  std::vector<RecordedKernel> kernels;
  std::vector<RecordedCall> calls;
  std::vector<Refusal> refusals;
  std::uint32_t threads = 1;  ///< that called the driver in the iteration
  /// The program asked whether a stream or event is done, which is not among the calls: after a yes
  /// it knows of an order that the calls do not show.
  bool queried = false;
};
BOOST_DESCRIBE_STRUCT(ApplicationRecording, (),
                      (application, machine, simulated, found, range, calls_before, iterations,
                       recorded, iteration_us, watched_us, broken, why_none, streams, memory,
                       kernels, calls, refusals, threads, queried))
constexpr auto ranges(const ApplicationRecording*) {
  return std::tuple{
      Within<&ApplicationRecording::application, &ApplicationRecording::why_none>{text_range}};
}

/// Throws a Misfit where an index or a range lies outside of what it points into, or where members
/// contradict each other.
void cross_check(const ApplicationRecording& recording);

}  // namespace trilane
