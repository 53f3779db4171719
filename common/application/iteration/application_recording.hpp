// Plain records of a recording: one iteration of an application's driver calls, and what is known
// of the memory, streams and kernels that they name. The recording's file, the diagnosis and the
// simulated device use nothing else. Times are microseconds.
#pragma once

#include "common/application/iteration/call_stacks.hpp"
#include "common/application/iteration/recorded_call.hpp"
#include "common/base/json/ranges.hpp"
#include "common/base/text/enumerators.hpp"

namespace trilane {

/// The way in which the iteration was found.
BOOST_DEFINE_FIXED_ENUM_CLASS(
    Found, std::uint8_t,
    repeats,  ///< calls that repeat exactly
    range,    ///< the NVTX range that the user named
    in_kind,  ///< steps of the same kinds of calls, whose sizes or kernels differ
    none)

/// The differences of the steps of Found::in_kind.
struct UnequalSteps {
  std::uint64_t calls = 0;   ///< of a recorded step, that differ in size or kernel
  std::uint64_t others = 0;  ///< steps with other calls, which were left out while confirming
};
BOOST_DESCRIBE_STRUCT(UnequalSteps, (), (calls, others))

/// The place where the nearest candidate for an iteration broke.
struct BrokenPeriod {
  std::uint64_t calls = 0;    ///< of the candidate
  std::uint64_t repeats = 0;  ///< equal whole ones
  std::uint64_t at = 0;       ///< the call, from 0, that differed; `calls`: there was one more
  std::string expected, got;  ///< calls, or "the end of the range", in words
};
BOOST_DESCRIBE_STRUCT(BrokenPeriod, (), (calls, repeats, at, expected, got))
TRILANE_RANGES(BrokenPeriod, Within<&R::expected, &R::got>{text_range})

/// A driver function that the application called anywhere, whose effects a replay cannot repeat.
struct Refusal {
  std::string call;         ///< "cuMemAllocManaged"
  std::string reason;       ///< in words
  std::uint64_t count = 0;  ///< of its calls
};
BOOST_DESCRIBE_STRUCT(Refusal, (), (call, reason, count))
TRILANE_RANGES(Refusal, Within<&R::reason>{text_range})

/// The resources of a GPU's multiprocessors: `count` is their number, the rest is of each.
struct Multiprocessors {
  std::uint32_t count = 0, threads = 0, blocks = 0, registers = 0;
  std::uint64_t shared_bytes = 0, reserved_bytes = 0;  ///< shared memory; of it for each block
};
BOOST_DESCRIBE_STRUCT(Multiprocessors, (),
                      (count, threads, blocks, registers, shared_bytes, reserved_bytes))

/// The machine that the application ran on.
struct RecordedMachine {
  std::string gpu, driver, cuda, host;
  std::optional<Multiprocessors> multiprocessors{};
};
BOOST_DESCRIBE_STRUCT(RecordedMachine, (), (gpu, driver, cuda, host, multiprocessors))

/// The value of a kernel's argument that is the same in every iteration and not a pointer.
struct RecordedValue {
  std::uint32_t call = 0;       ///< index in ApplicationRecording::calls
  std::uint32_t parameter = 0;  ///< index among its kernel's parameters
  std::uint64_t bits = 0;       ///< its bytes, lowest first
};
BOOST_DESCRIBE_STRUCT(RecordedValue, (), (call, parameter, bits))

/// The application's own data in a recording: only with --with-data.
struct RecordedData {
  /// Limit of values; those of later calls are left out.
  static constexpr std::size_t most_values = 100'000;
  /// Limit of a value's bytes: larger arguments are structures, which no pipeline file states.
  static constexpr std::uint64_t most_bytes = 8;

  std::vector<RecordedValue> values;  ///< by call, then by parameter
};
BOOST_DESCRIBE_STRUCT(RecordedData, (), (values))

/// CUPTI's cost for each driver call with callbacks, at its beginning and its return, without the
/// recorder's own work. In microseconds.
struct ListeningCosts {
  double between_us = 0;  ///< part of the time from one call's return to the next one's begin
  double within_us = 0;   ///< part of the time from a call's begin to its return
};
BOOST_DESCRIBE_STRUCT(ListeningCosts, (), (between_us, within_us))

/// The threads that issue the calls, if several threads of the application call the driver.
struct RecordedThreads {
  /// The only thread whose calls are recorded, from 1 in the order of first calls; 0: each is.
  std::uint32_t thread = 0;
  std::uint32_t others = 0;  ///< further threads that call the driver meanwhile
  /// Among them: made the same calls, except for streams and addresses; absent in older recordings.
  std::optional<std::uint32_t> alike{};
  /// The iteration's calls come from several threads, one at a time or overlapping in an order that
  /// is known, and each is by the same thread in every iteration.
  bool in_turns = false;
  /// As ApplicationRecording::watched_us, but while the other threads stood still.
  std::vector<double> alone_us{};
};
BOOST_DESCRIBE_STRUCT(RecordedThreads, (), (thread, others, alike, in_turns, alone_us))

/// The calls that a capture forbids to threads: CUstreamCaptureMode, in its order.
BOOST_DEFINE_FIXED_ENUM_CLASS(CaptureMode, std::uint8_t, global, per_thread, relaxed)

/// The effect of a call on a capture, or of the capture on the call.
BOOST_DEFINE_FIXED_ENUM_CLASS(
    CaptureEffect, std::uint8_t,
    broke,       ///< it failed, and the capture is invalid
    refused,     ///< it failed because of the capture, which goes on
    left_out,    ///< it ran at once, by the capturing thread, in a stream that is not captured
    lost_batch,  ///< a batch of copies that succeeded and added no node
    allocates)   ///< it became a node that allocates memory

/// The stream of a call, as the capture sees it.
BOOST_DEFINE_FIXED_ENUM_CLASS(CaptureStream, std::uint8_t,
                              none,      ///< the call names no stream
                              captured,  ///< the one in which the capture began
                              joined,    ///< drawn into the capture by an event
                              legacy, other)

/// Where a call was made, and the capture that it belongs to. Stacks are indices in
/// CaptureAudit::source.
struct CapturePlace {
  CaptureEffect effect = CaptureEffect::broke;
  CaptureMode mode = CaptureMode::global;
  CaptureStream stream = CaptureStream::none;
  bool loads = false;         ///< the call loads code
  bool other_thread = false;  ///< than the one that began the capture
  /// The threads that made the call and began the capture, from 1 in the order of first calls; 0: a
  /// thread without a successful call.
  std::uint32_t thread = 0, begun_by = 0;
  std::optional<std::uint32_t> stack{}, begin{};  ///< of the call, and of the capture's begin
  /// For a capture with unjoined work: of the call that drew the stream in.
  std::optional<std::uint32_t> fork{};
};
BOOST_DESCRIBE_STRUCT(CapturePlace, (),
                      (effect, mode, stream, loads, other_thread, thread, begun_by, stack, begin,
                       fork))

/// Equal calls that matter to captures. An invalid capture has the first call that failed.
struct CaptureCall {
  std::string call;       ///< the driver's function; of a capture without a known one: its end
  std::string runtime{};  ///< the runtime's function around it; empty: unknown
  CallKind kind = CallKind::other;
  std::uint32_t code = 0;  ///< the CUresult that it returned
  std::uint64_t count = 0;
  std::optional<CapturePlace> place{};  ///< absent in recordings before version 4
};
BOOST_DESCRIBE_STRUCT(CaptureCall, (), (call, runtime, kind, code, count, place))

/// Captures that begin at one place.
struct CaptureSite {
  CaptureMode mode = CaptureMode::global;
  std::optional<std::uint32_t> begin{};  ///< index in CaptureAudit::source; absent: unknown
  std::uint64_t ended = 0, failed = 0;
  std::uint64_t elsewhere = 0;  ///< ended by another thread
};
BOOST_DESCRIBE_STRUCT(CaptureSite, (), (mode, begin, ended, failed, elsewhere))

/// Facts of captures besides those that failed.
struct CaptureAudit {
  std::vector<CaptureSite> sites;  ///< also of captures that were not listened to throughout
  std::vector<CaptureCall> calls;  ///< of other effects than `broke`
  std::uint64_t unheard = 0;       ///< failures whose breaking call was not listened to
  RecordedSource source;
};
BOOST_DESCRIBE_STRUCT(CaptureAudit, (), (sites, calls, unheard, source))

/// Captures that were listened to until they ended.
struct RecordedCaptures {
  std::uint64_t ended = 0;  ///< in all
  std::vector<CaptureCall> failed;
  std::optional<CaptureAudit> audit{};  ///< absent in recordings before version 4
};
BOOST_DESCRIBE_STRUCT(RecordedCaptures, (), (ended, failed, audit))

/// Executable graphs that were instantiated at one place, by the calls that were listened to.
struct RecordedExecutables {
  std::optional<std::uint32_t> stack{};  ///< of the instantiation; absent: unknown
  std::uint64_t made = 0, destroyed = 0;
  std::uint64_t never = 0, once = 0;  ///< destroyed without a launch, and after a single one
  std::uint64_t again = 0;            ///< made after the one before had been launched
  std::uint64_t reused = 0;           ///< launches, except the first, after a later one was made
  std::uint64_t nodes = 0;            ///< operations of the latest; 0: unknown
  std::uint64_t bytes = 0;            ///< of the device, taken until each was launched
  std::uint64_t launches = 0, updates = 0, sets = 0;                    ///< sets: of a node
  double instantiate_us = 0, launch_us = 0, update_us = 0, set_us = 0;  ///< the host's, in all
};
BOOST_DESCRIBE_STRUCT(RecordedExecutables, (),
                      (stack, made, destroyed, never, once, again, reused, nodes, bytes, launches,
                       updates, sets, instantiate_us, launch_us, update_us, set_us))

/// The reason why a pool took memory of the device.
BOOST_DEFINE_FIXED_ENUM_CLASS(
    GrowthCause, std::uint8_t,
    needed,        ///< all that was free would not have sufficed
    other_stream,  ///< nothing ordered the stream behind the free of a block that was large enough
    sizes,         ///< what was free sufficed only in sum
    given_back,    ///< the pool had released memory at a wait
    unheard)       ///< not every call was listened to

/// Allocations after which a pool had grown, by cause and place.
struct PoolGrowth {
  GrowthCause cause = GrowthCause::unheard;
  std::optional<std::uint32_t> stack{};  ///< absent: unknown
  std::uint64_t count = 0, bytes = 0;
};
BOOST_DESCRIBE_STRUCT(PoolGrowth, (), (cause, stack, count, bytes))

/// A pool that stream-ordered allocations came from, in bytes, as the driver says.
struct RecordedPool {
  std::uint64_t reserved = 0, used = 0, reserved_most = 0, used_most = 0;
  std::uint64_t threshold = 0;           ///< free memory beyond it is released at waits
  std::uint64_t allocations = 0;         ///< that were heard
  std::uint64_t every = 1;               ///< number of them between two samples
  std::vector<std::uint64_t> samples{};  ///< reserved bytes; at most 64
  std::vector<PoolGrowth> growth{};
};
BOOST_DESCRIBE_STRUCT(RecordedPool, (),
                      (reserved, used, reserved_most, used_most, threshold, allocations, every,
                       samples, growth))

/// Graphs and pools by the places where they were made or grew. Stacks are indices in `source`.
struct RecordedResources {
  std::vector<RecordedExecutables> executables;
  std::vector<RecordedPool> pools;
  RecordedSource source;
};
BOOST_DESCRIBE_STRUCT(RecordedResources, (), (executables, pools, source))

/// `calls` is one iteration or else the longest loop without a wait, or the last segment of calls.
struct ApplicationRecording {
  std::string application;  ///< its command line
  RecordedMachine machine;
  bool simulated = false;  ///< recorded on the simulated device
  Found found = Found::none;
  std::string range;                    ///< with Found::range: its name
  std::optional<UnequalSteps> unequal;  ///< with Found::in_kind
  /// With Found::repeats: how often other calls came between repetitions that were traced, as after
  /// a loop whose length the data decide; absent: never.
  std::optional<std::uint64_t> breaks;
  std::uint64_t calls_before = 0;  ///< calls before the first repetition
  /// Total seen, including those only counted. Without an iteration, but with calls that repeat
  /// without a wait: how often they do; then `calls` are all of these, and the wait behind them.
  std::uint64_t iterations = 0;
  std::uint64_t recorded = 0;  ///< repetitions that the medians cover
  /// Times of the repetitions that the calls' times come from; at most 1,000.
  std::vector<double> iteration_us;
  std::vector<double> watched_us;  ///< the same while only the last call was watched
  /// Time that CUPTI's presence adds to a replayed iteration, and so to each of these.
  std::optional<double> cupti_us;
  /// The time subtracted from the calls' times without device times; absent: not measured.
  std::optional<ListeningCosts> listening;
  /// Without an iteration: the nearest candidate. With one: where it did not go on before its
  /// device times were taken. The loop then changed its shape, and what is known of it stays.
  std::optional<BrokenPeriod> broken;
  std::string why_none;  ///< the same, in words
  std::vector<RecordedStream> streams;
  std::vector<RecordedMemory> memory;
  std::vector<RecordedKernel> kernels;
  std::vector<RecordedGraph> graphs;  ///< launched by the calls
  std::vector<RecordedCall> calls;
  std::vector<Refusal> refusals;
  std::optional<RecordedCaptures> captures;  ///< absent: no attempt was listened to
  std::uint32_t threads = 1;                 ///< threads that called the driver in the iteration
  std::optional<std::uint32_t> contexts;     ///< contexts of the calls; absent: unknown
  std::optional<RecordedThreads> issuing;    ///< absent: a single thread, or unknown
  /// The program asked whether a stream or event is done. Queries are not among the calls: after a
  /// yes the program knows of an order that the calls do not show.
  bool queried = false;
  std::optional<RecordedData> data;            ///< only if the user asked for it
  std::optional<RecordedSource> source;        ///< absent: no call stacks were taken
  std::optional<RecordedResources> resources;  ///< absent: no graphs or pools, or before version 5
};
BOOST_DESCRIBE_STRUCT(ApplicationRecording, (),
                      (application, machine, simulated, found, range, unequal, breaks, calls_before,
                       iterations, recorded, iteration_us, watched_us, cupti_us, listening, broken,
                       why_none, streams, memory, kernels, graphs, calls, refusals, captures,
                       threads, contexts, issuing, queried, data, source, resources))
TRILANE_RANGES(ApplicationRecording, Within<&R::application, &R::why_none>{text_range})

/// Throws a Misfit if an index or a range lies outside its target, or if members contradict.
void cross_check(const ApplicationRecording& recording);

/// Returns true if the recorded order of the calls is the order in which hosts make them.
inline bool has_host_order(const ApplicationRecording& recording) {
  return recording.threads == 1 || (recording.issuing && recording.issuing->in_turns);
}

}  // namespace trilane
