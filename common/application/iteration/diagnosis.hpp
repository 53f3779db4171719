// The diagnosis of a recording: where an iteration's time goes, and why.
#pragma once

#include "common/application/iteration/application_recording.hpp"
#include "common/application/iteration/call_kinds.hpp"
#include "common/application/iteration/time_use.hpp"
#include "common/base/json/ranges.hpp"
#include "common/base/text/enumerators.hpp"

namespace trilane {

BOOST_DEFINE_FIXED_ENUM_CLASS(
    FindingKind, std::uint8_t,
    copy_could_overlap,  ///< a copy that no kernel overlaps, though one does not use its memory
    copy_needs_buffer,   ///< the same, but each kernel may exchange data with it
    pageable_copy, synchronization,
    small_result,         ///< a wait for a few bytes that the host reads before it goes on
    allocation,           ///< in the loop, including frees and their waits
    implicit_wait,        ///< a copy that makes the host wait unasked
    legacy_wait,          ///< in the legacy stream: operations start late only because of its rule
    legacy_event,         ///< the same by an event that is recorded there
    useless_stream_wait,  ///< for an event that the host, or just now the stream, has waited for
    useless_synchronize,  ///< for what the host has waited for earlier in the iteration
    nothing_copied,       ///< a copy or memset of zero bytes
    memset_overwritten,   ///< by a copy, before anything known reads it
    copies_in_pieces,     ///< each begins where the one before ends, in both memories
    other_threads,        ///< delay the loop, which was also timed while they stood still
    host_function,        ///< it keeps its stream from going on
    kernels_apart,        ///< a kernel that another one could run beside, and does not
    unjudged_wait)        ///< behind it the program may read times of events; comes last
constexpr const char* name_of(FindingKind kind) {
  switch (kind) {
    case FindingKind::copy_needs_buffer: return "copy needs a second buffer to overlap";
    case FindingKind::legacy_wait: return "wait by the legacy stream";
    case FindingKind::legacy_event: return "event on the legacy stream";
    default: return words_of_name(kind);
  }
}

/// The reason why a copy or a kernel does not overlap with kernels.
BOOST_DEFINE_FIXED_ENUM_CLASS(
    Obstacle, std::uint8_t, none,
    pageable,     ///< the host waits with it
    synchronous,  ///< the function that was called is a synchronous one
    legacy,       ///< it, or every kernel, is in the legacy stream or ordered by it
    same_stream,  ///< the kernels that could overlap are in its stream
    order,        ///< events or host waits
    queue,        ///< nothing orders them, and there is room
    // The other one's blocks take too much of these resources of a multiprocessor:
    threads, registers, shared_memory, blocks)
constexpr const char* name_of(Obstacle obstacle) {
  switch (obstacle) {
    case Obstacle::none: return "none";
    case Obstacle::pageable: return "pageable memory";
    case Obstacle::synchronous: return "synchronous call";
    case Obstacle::legacy: return "legacy stream";
    case Obstacle::same_stream: return "same stream";
    case Obstacle::order: return "events or waits";
    case Obstacle::queue: return "one hardware queue";
    case Obstacle::threads: return "no room for threads";
    case Obstacle::registers: return "no room for registers";
    case Obstacle::shared_memory: return "no room in shared memory";
    case Obstacle::blocks: return "no room for blocks";
  }
  return "";
}

/// Calls that the same change removes, by kind and obstacle.
struct CallFinding {
  FindingKind kind = FindingKind::synchronization;
  std::string name;  ///< of the functions: "cudaFree" or "f 2 times and g"; "3 other threads"
  Obstacle obstacle = Obstacle::none;
  std::uint64_t count = 0, bytes = 0;
  double us = 0;  ///< total time; for copies the device's if known
  /// Upper bound of what the change could gain; absent: the GPU's times are not known.
  std::optional<double> gain_us{};
  std::optional<double> pinned_us{};  ///< for pageable copies: at the rate of the pinned ones here
  /// For waits by the legacy stream: the first late operation. For Obstacle::order: the wait for an
  /// event before the operation; empty: unknown.
  std::string delayed{};
  std::string beside{};  ///< for kernels_apart: the first of the other kernels, and its size
  std::vector<std::uint64_t> calls{};  ///< the first few, as indices in ApplicationRecording::calls
  std::string place{};                 ///< of all calls: "a.cu:7 f, a.cu:9 f and 3 more"
};
BOOST_DESCRIBE_STRUCT(CallFinding, (),
                      (kind, name, obstacle, count, bytes, us, gain_us, pinned_us, delayed, beside,
                       calls, place))
TRILANE_RANGES(CallFinding, Within<&R::name, &R::delayed, &R::beside, &R::place>{text_range})

/// One of two operations that use the same bytes without an order between them.
struct RaceSide {
  std::uint64_t call = 0;  ///< index in ApplicationRecording::calls
  std::string what;        ///< "copy", "memset", "kernel NAME"
  std::uint32_t stream = 0;
  Use use = Use::may_use;
  std::string place{};
};
BOOST_DESCRIBE_STRUCT(RaceSide, (), (call, what, stream, use, place))
TRILANE_RANGES(RaceSide, Within<&R::what, &R::place>{text_range})

/// Pairs of similar operations. `count` is their number; the rest describes the first pair.
struct RecordedRace {
  bool certain = false;         ///< otherwise possible: one of the two may not use these bytes
  bool next_iteration = false;  ///< `later` belongs to the iteration after that of `earlier`
  std::uint32_t memory = 0;     ///< index in ApplicationRecording::memory
  MemoryKind memory_kind = MemoryKind::unknown;
  std::uint64_t offset = 0, bytes = 0;  ///< used by both
  RaceSide earlier, later;              ///< in the order of issue
  std::uint64_t count = 0;
  /// True if the simulated device finds no order between the two either; absent: it was not asked.
  std::optional<bool> confirmed{};
};
BOOST_DESCRIBE_STRUCT(RecordedRace, (),
                      (certain, next_iteration, memory, memory_kind, offset, bytes, earlier, later,
                       count, confirmed))

/// The reason why a capture of the iteration, as it is, would fail, or what became of captures that
/// the application tried.
BOOST_DEFINE_FIXED_ENUM_CLASS(
    CaptureReason, std::uint8_t,
    failed,         ///< the application tried, and the call broke it, if one is known
    noted,          ///< calls with another CaptureEffect
    legacy_stream,  ///< the call uses it
    synchronous,    ///< a copy or memset that the host waits for
    batch,          ///< a batch of copies
    pageable,       ///< a copy from or to such memory
    allocates,      ///< allocates or frees device or pinned memory, outside stream order
    outlives,       ///< memory of a pool that one graph does not allocate and free
    priorities)     ///< kernels keep them only if the graph is instantiated to do so
constexpr const char* name_of(CaptureReason reason) {
  switch (reason) {
    case CaptureReason::failed: return "failed in the application";
    case CaptureReason::noted: return "noted during a capture";
    case CaptureReason::legacy_stream: return "legacy stream";
    case CaptureReason::synchronous: return "synchronous call";
    case CaptureReason::batch: return "batch of copies";
    case CaptureReason::pageable: return "pageable memory";
    case CaptureReason::allocates: return "allocation";
    case CaptureReason::outlives: return "memory outlives the graph";
    case CaptureReason::priorities: return "priorities";
  }
  return "";
}

/// Returns true if the reason concerns captures that the application tried.
constexpr bool is_tried(CaptureReason reason) { return reason <= CaptureReason::noted; }

/// Calls with one reason.
struct CaptureObstacle {
  CaptureReason reason = CaptureReason::failed;
  std::string name{};                   ///< of the functions that the application called
  CallKind kind = CallKind::other;      ///< of all of them; other: they differ
  std::optional<std::uint32_t> call{};  ///< the first: index in ApplicationRecording::calls
  std::uint64_t count = 0;              ///< of such calls, or failed captures
  std::uint64_t of = 0;                 ///< for CaptureReason::failed: captures in all
  std::uint32_t code = 0;               ///< for CaptureReason::failed: its CUresult
  std::string place{};                  ///< of the first call; empty: unknown
  std::optional<CapturePlace> where{};  ///< of the first call within a capture; absent: unknown
  std::string begin{}, fork{};          ///< places, as in `where`; empty: unknown
};
BOOST_DESCRIBE_STRUCT(CaptureObstacle, (),
                      (reason, name, kind, call, count, of, code, place, where, begin, fork))
TRILANE_RANGES(CaptureObstacle, Within<&R::name, &R::place, &R::begin, &R::fork>{text_range})

/// Captures that begin at one place, as CaptureSite.
struct CapturesAt {
  std::string place{};  ///< empty: unknown
  CaptureMode mode = CaptureMode::global;
  std::uint64_t ended = 0, failed = 0, elsewhere = 0;
};
BOOST_DESCRIBE_STRUCT(CapturesAt, (), (place, mode, ended, failed, elsewhere))
TRILANE_RANGES(CapturesAt, Within<&R::place>{text_range})

/// The executable graphs instantiated at one place.
struct ExecutablesAt {
  std::string place{};          ///< empty: unknown
  RecordedExecutables costs{};  ///< without a stack
  /// Launches until the instantiation's time is recovered, if each node's own call takes as long
  /// as those of the iteration; absent: there are none, or a launch saves nothing.
  std::optional<double> pays_after{};
};
BOOST_DESCRIBE_STRUCT(ExecutablesAt, (), (place, costs, pays_after))
TRILANE_RANGES(ExecutablesAt, Within<&R::place>{text_range}, Within<&R::pays_after>{factor_range})

/// Launches with programmatic stream serialization right behind a kernel of their stream.
struct EarlyLaunches {
  std::string kernel, place;  ///< of the first
  std::uint64_t count = 0;
  bool waits = false;  ///< for a kernel that never triggers; false: they do not wait for theirs
};
BOOST_DESCRIBE_STRUCT(EarlyLaunches, (), (kernel, place, count, waits))
TRILANE_RANGES(EarlyLaunches, Within<&R::kernel, &R::place>{text_range})

/// An iteration's time in three forms: traced, measured without tracing, and reconstructed. The
/// last combines untraced times of the host with traced lengths of operations, which change little.
struct Reconstruction {
  bool used = false;                ///< the diagnosis has these times; otherwise the traced ones
  std::optional<double> period_us;  ///< reconstructed; absent if something needed for it is unknown
  double watched_us = 0;            ///< measured; the median
  double traced_us = 0;
  /// The gaps between engines were chosen so that period_us comes close to watched_us.
  bool fitted = false;
};
BOOST_DESCRIBE_STRUCT(Reconstruction, (), (used, period_us, watched_us, traced_us, fitted))

/// The device's time in an iteration. `causes` say why it was idle, costliest first.
struct DeviceUse {
  double busy_us = 0;  ///< at least one operation was running
  double idle_us = 0;
  std::vector<TimeShare> causes;
};
BOOST_DESCRIBE_STRUCT(DeviceUse, (), (busy_us, idle_us, causes))

/// The calls that a graph could replace, and the time that it leaves: from the recording alone, not
/// a prediction. It also removes host code between the calls, and gaps on the GPU.
struct GraphBound {
  std::uint64_t calls = 0;         ///< calls that one launch would replace
  std::uint32_t thread = 0;        ///< the only one whose calls these are, from 1; 0: all threads'
  double host_us = 0;              ///< their duration
  std::optional<double> least_us;  ///< the GPU's time without gaps; absent: not known
  std::string first{}, last{};     ///< their places
};
BOOST_DESCRIBE_STRUCT(GraphBound, (), (calls, thread, host_us, least_us, first, last))
TRILANE_RANGES(GraphBound, Within<&R::first, &R::last>{text_range})

/// The graphs that an iteration launches, and their content.
struct GraphsLaunched {
  std::uint64_t graphs = 0;  ///< distinct ones
  std::uint64_t kernels = 0, copies = 0, memsets = 0, others = 0;
};
BOOST_DESCRIBE_STRUCT(GraphsLaunched, (), (graphs, kernels, copies, memsets, others))

/// Values that differ between repetitions, by the kernel or function that takes them.
struct Varying {
  std::string name;
  std::uint64_t calls = 0;
  std::uint64_t constant = 0, alternating = 0, changing = 0;  ///< values in all these calls
};
BOOST_DESCRIBE_STRUCT(Varying, (), (name, calls, constant, alternating, changing))
TRILANE_RANGES(Varying, Within<&R::name>{text_range})

/// The change to the recorded calls.
BOOST_DEFINE_FIXED_ENUM_CLASS(
    SimulatedWay, std::uint8_t, same_calls,
    graph,      ///< each segment between host waits is one launch of a graph
    graph_set,  ///< the same, with varying values set in the graph before each launch
    engines,    ///< one stream for each engine, in the order that the data needs
    pinned,     ///< pinned instead of pageable host memory
    pool)       ///< stream-ordered allocations instead of cudaMalloc and cudaFree
constexpr const char* name_of(SimulatedWay way) {
  return way == SimulatedWay::graph_set ? "graph, set" : words_of_name(way);
}

/// Has times if `why_not` is empty.
struct SimulatedTime {
  SimulatedWay way = SimulatedWay::same_calls;
  std::string why_not;
  std::optional<double> us{};     ///< of an iteration
  std::optional<double> ratio{};  ///< to the same calls, simulated too
  bool told_apart = false;        ///< the ratio is further from 1 than the model's error
};
BOOST_DESCRIBE_STRUCT(SimulatedTime, (), (way, why_not, us, ratio, told_apart))
TRILANE_RANGES(SimulatedTime, Within<&R::why_not>{text_range}, Within<&R::ratio>{factor_range})

/// Predictions; only `measured_us` was measured.
struct SimulatedTimes {
  std::string profile;                ///< "NVIDIA H200 (profile of 2026-11-21)"
  std::string refusal;                ///< why nothing is predicted; then there are no times
  std::optional<double> measured_us;  ///< median of the recorded iterations
  std::string measured_on;            ///< the GPU; empty: the recording does not name it
  bool same_gpu = false;              ///< the profile is of the recorded GPU
  /// The factor by which ratios may be off; absent if the profile does not know its error.
  std::optional<double> error_factor{};
  std::vector<SimulatedTime> times{};  ///< the same calls first
  std::vector<std::string> notes{};    ///< what the times omit or assume
};
BOOST_DESCRIBE_STRUCT(SimulatedTimes, (),
                      (profile, refusal, measured_us, measured_on, same_gpu, error_factor, times,
                       notes))
TRILANE_RANGES(SimulatedTimes, Within<&R::refusal, &R::notes>{text_range},
               Within<&R::error_factor>{{1, factor_range.most}})

/// How steps that repeat in kind differ; the middle half takes `low_us` to `high_us`.
struct StepSizes {
  double low_us = 0, high_us = 0;
  std::uint64_t unequal = 0;  ///< calls of a step that differ in size or kernel
  std::uint64_t others = 0;   ///< steps with other calls
};
BOOST_DESCRIBE_STRUCT(StepSizes, (), (low_us, high_us, unequal, others))

/// Times are those of one iteration or, if none was found, of the recorded segment.
struct Diagnosis {
  std::string application;
  RecordedMachine machine;
  bool simulated = false;
  Found found = Found::none;
  std::string range, why_none;     ///< as in ApplicationRecording
  std::optional<StepSizes> steps;  ///< with Found::in_kind
  std::uint64_t calls = 0, iterations = 0;
  std::uint64_t turns = 1;           ///< of a loop over a ring of events, in an iteration
  double period_us = 0;              ///< the median, or as reconstructed
  std::optional<double> watched_us;  ///< median while only the last call was watched
  /// The origin of the times; absent if tracing changed none, or nothing tells how much.
  std::optional<Reconstruction> reconstruction;
  std::optional<DeviceUse> device;  ///< absent without device times
  std::vector<TimeShare> host;      ///< what the host does, costliest first
  std::vector<PathPart> path;       ///< the parts of the iteration's time, costliest first
  std::vector<RecordedRace> races;  ///< certain ones first
  bool races_cut = false;           ///< there were too many pairs to examine
  std::vector<CallFinding> findings;
  std::vector<EarlyLaunches> early;  ///< that race or gain little
  GraphBound graph;
  std::vector<CaptureObstacle> capture;  ///< what a capture of the iteration would break on
  std::vector<CapturesAt> captures;      ///< that the application tried
  std::vector<RecordedPool> pools;
  std::vector<std::string> pool_places;  ///< by PoolGrowth::stack; empty: unknown
  std::optional<GraphsLaunched> graphs;  ///< absent if none is launched
  std::vector<ExecutablesAt> executables;
  std::vector<Varying> varying;  ///< without constant values
  std::uint64_t constant = 0;    ///< arguments and pointers that do not vary, in all
  std::vector<Refusal> refusals;
  std::vector<std::string> notes;                 ///< what limits these statements
  std::optional<SimulatedTimes> simulated_times;  ///< if a simulated device was asked
};
BOOST_DESCRIBE_STRUCT(Diagnosis, (),
                      (application, machine, simulated, found, range, why_none, steps, calls,
                       iterations, turns, period_us, watched_us, reconstruction, device, host, path,
                       races, races_cut, findings, early, graph, capture, captures, pools,
                       pool_places, graphs, executables, varying, constant, refusals, notes,
                       simulated_times))
TRILANE_RANGES(Diagnosis,
               Within<&R::application, &R::why_none, &R::pool_places, &R::notes>{text_range})

}  // namespace trilane
