// A call to the driver as a listener hands it to the recorder's core: decoded, with the
// application's own handles and addresses. CUPTI's callbacks and the simulated device make them.
#pragma once

#include "common/application/iteration/application_recording.hpp"

namespace trilane {

/// A call stack, outermost frame first. Equal frames and equal stacks have the same address.
struct ObservedStack {
  std::vector<const RecordedFrame*> frames;
  auto operator<=>(const ObservedStack&) const = default;
};

/// A call that matters to a capture.
struct ObservedCaptureCall {
  std::uint32_t function = 0, runtime = 0;  ///< as in ObservedCall
  CallKind kind = CallKind::other;
  std::uint32_t code = 0;  ///< the CUresult that it returned
  CapturePlace place{};    ///< without numbers of threads and stacks
  std::uint64_t thread = 0, begun_by = 0;
  /// As in CapturePlace; null: not taken.
  const ObservedStack *stack = nullptr, *begin = nullptr, *fork = nullptr;
};

/// A capture that has ended.
struct ObservedCapture {
  CaptureMode mode = CaptureMode::global;
  const ObservedStack* begin = nullptr;
  bool elsewhere = false;  ///< another thread ended it
  bool failed = false;
  bool heard = true;  ///< every call was listened to
  std::optional<ObservedCaptureCall> broken{};
};

struct ObservedBatch;
struct ObservedGraph;
struct ObservedNode;

/// A kernel launch as the driver takes it.
struct ObservedLaunch {
  std::uint64_t function = 0;  ///< CUfunction or CUkernel
  std::uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  std::uint32_t shared_bytes = 0;
  /// The same pointer for equal attributes, permanently; null: none exist.
  const LaunchAttributes* attributes = nullptr;
  std::span<const std::byte> arguments{};  ///< parameters at their offsets; valid in the call
};

/// The time from the end of the thread's previous call, queries apart, to the start of this one.
struct TimeBefore {
  double listener_us = 0;    ///< the listener's own cost
  std::uint32_t others = 0;  ///< calls that called back, too, and are not handed over
  /// Time outside functions of the driver and the runtime, including the cost of callbacks, and the
  /// number of segments that it consists of; absent: unknown.
  std::optional<double> outside_us{};
  std::uint32_t outside = 0;
};

/// One call that returned without an error. Members that do not apply to its kind stay 0.
struct ObservedCall {
  CallKind kind = CallKind::other;
  std::uint32_t function = 0;  ///< the listener's number of the driver's function
  std::uint32_t runtime = 0;   ///< of the runtime's function around it; 0: none
  std::uint64_t context = 0, thread = 0;
  std::uint32_t correlation = 0;        ///< the listener's number of the call, for its device time
  std::uint64_t stream = 0, event = 0;  ///< handles
  std::uint64_t destination = 0, source = 0;  ///< addresses; `destination` also for an allocation
  std::uint64_t pool = 0;    ///< handle for an allocation in stream order; 0: the device's current
  std::uint64_t bytes = 0;   ///< in all
  std::uint64_t height = 1;  ///< rows of a copy or memset, in all slices
  std::uint64_t destination_pitch = 0, source_pitch = 0;
  /// Slices of a three-dimensional copy with gaps, and the rows from slice to slice; 0: no gap.
  std::uint64_t depth = 1, destination_rows = 0, source_rows = 0;
  /// Each copy of a batch, whose first one has the addresses above; null: the call is not a batch.
  std::shared_ptr<const ObservedBatch> batch{};
  std::uint32_t value = 0;  ///< for a memset; its width is `value_bytes`
  std::uint32_t value_bytes = 0;
  std::uint64_t executable = 0;  ///< graph of a launch or change: a handle
  /// The operations of the launched graph, or of a whole changed graph; null: unknown, or none.
  std::shared_ptr<const ObservedGraph> graph{};
  /// For a change of one node: its new operation, and its number in the graph.
  std::shared_ptr<const ObservedNode> changed{};
  std::uint32_t node = 0;
  ObservedLaunch launch{};
  /// The host waited for the device in this call. May be omitted if the kind implies it. A
  /// synchronous copy needs it, or a loop of them has no wait that ends an iteration.
  bool waits = false;
  /// It copied from or to the host, and is complete.
  bool done = false;
  const ObservedStack* stack = nullptr;  ///< permanent; null: it was not taken
  const char* refusal = nullptr;  ///< permanent reason why no replay can repeat it; null: one can
  bool lasts = false;  ///< it counts wherever the call was made, not only in the iteration
  double begin_us = 0, end_us = 0;
  std::uint32_t inside = 0;  ///< calls within it that called back, too
  TimeBefore before{};
};

/// One operation of a graph. Never moved: it holds the arguments of its launch.
struct ObservedNode : boost::noncopyable {
  ObservedCall call;  ///< without a stream and times
  std::vector<std::byte> arguments;
  std::vector<std::uint32_t> after;  ///< its direct predecessors
};

/// The operations of a launched graph.
struct ObservedGraph {
  std::uint64_t number = 0;  ///< different for each graph and after each change
  std::vector<std::shared_ptr<const ObservedNode>> nodes;
};

/// Copies without an order among themselves; may be a single one.
struct ObservedBatch {
  struct Copy {
    std::uint64_t destination = 0, source = 0, bytes = 0;
  };
  std::vector<Copy> copies;
  std::vector<std::byte> attributes;    ///< the driver's records of how to copy, unchanged
  std::vector<std::size_t> holds_from;  ///< by attribute: the first copy to which it applies
};

/// The part of a call that is read at a glance.
struct CallGlance {
  CallKind kind = CallKind::other;
  std::uint32_t function = 0;
  std::uint64_t kernel = 0, stream = 0;  ///< handles
  std::uint64_t thread = 0;
  bool waits = false;  ///< as in ObservedCall
};

/// One iteration's calls with handles, addresses and argument bytes, as a replay needs them.
struct ObservedIteration {
  std::vector<ObservedCall> calls;                        ///< spans lie in `arguments`
  std::vector<std::unique_ptr<std::byte[]>> arguments{};  ///< owns the bytes

  /// Gives the launch a copy of its arguments that lasts as long as the iteration, and returns it.
  std::byte* keep_arguments(ObservedLaunch& launch) {
    auto& own = arguments.emplace_back(new std::byte[launch.arguments.size()]);
    std::ranges::copy(launch.arguments, own.get());
    launch.arguments = {own.get(), launch.arguments.size()};
    return own.get();
  }
};

/// Returns the numbers of the calls that free memory which the iteration has not allocated.
inline std::vector<std::size_t> inherited_frees(const ObservedIteration& iteration) {
  std::vector<std::size_t> found;
  std::set<std::uint64_t> own;
  for (std::size_t i = 0; i < iteration.calls.size(); ++i) {
    const ObservedCall& call = iteration.calls[i];
    if (allocates(call.kind)) own.insert(call.destination);
    if (frees(call.kind) && own.erase(call.destination) == 0) found.push_back(i);
  }
  return found;
}

/// Returns the offset of a row of a copy or memset. `pitch` and `slice_rows` are those of one side.
std::uint64_t offset_of_row(std::uint64_t row, const auto& call, std::uint64_t pitch,
                            std::uint64_t slice_rows) {
  const std::uint64_t height = std::max<std::uint64_t>(1, call.height), rows = height / call.depth;
  const std::uint64_t slices = row / rows * std::max(slice_rows, rows);
  return (slices + row % rows) * std::max(pitch, call.bytes / height);
}

/// Returns the bytes from the first row's start to the last row's end.
std::uint64_t extent_of(const auto& call, std::uint64_t pitch, std::uint64_t slice_rows) {
  const std::uint64_t height = std::max<std::uint64_t>(1, call.height);
  return offset_of_row(height - 1, call, pitch, slice_rows) + call.bytes / height;
}

/// Returns each copy of a batch as a call without stream and times; any other copy as it is.
inline std::vector<ObservedCall> copies_of(const ObservedCall& call) {
  if (!call.batch) return {call};
  std::vector<ObservedCall> all;
  for (const auto& [destination, source, bytes] : call.batch->copies) {
    all.push_back(
        {.kind = call.kind, .destination = destination, .source = source, .bytes = bytes});
  }
  return all;
}

/// Returns microseconds on a monotonic clock. Costs some 20 ns.
inline double recorder_now_us() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::micro>(now).count();
}

}  // namespace trilane
