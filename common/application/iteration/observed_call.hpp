// A call to the driver as a listener hands it to the recorder's core: decoded, with the
// application's own handles and addresses. CUPTI's callbacks (recorder/) and the simulated device
// make them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "common/application/iteration/records/application_recording.hpp"

namespace trilane {

/// The call that broke a capture.
struct BrokenCapture {
  std::uint32_t function = 0, runtime = 0;  ///< as in ObservedCall
  CallKind kind = CallKind::other;
  std::uint32_t code = 0;  ///< that it returned: a CUresult
};

struct ObservedBatch;
struct ObservedGraph;
struct ObservedNode;

/// A kernel launch as the driver takes it.
struct ObservedLaunch {
  std::uint64_t function = 0;  ///< CUfunction or CUkernel
  std::uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  std::uint32_t shared_bytes = 0;
  /// The same for equal ones, for good; null: it has none.
  const LaunchAttributes* attributes = nullptr;
  std::span<const std::byte>
      arguments{};  ///< all parameters, each at its offset; valid in the call
};

/// The time from the end of the thread's call before to the beginning of this one. Queries are no
/// calls here.
struct TimeBefore {
  double listener_us = 0;    ///< what the listener itself took
  std::uint32_t others = 0;  ///< calls that called back, too, and are not handed over
  /// What passed in no function of the driver's or the runtime's, with what calling back took, and
  /// in how many stretches; absent: it is not known.
  std::optional<double> outside_us{};
  std::uint32_t outside = 0;
};

/// One call that returned without an error. Members that its kind does not have stay 0.
struct ObservedCall {
  CallKind kind = CallKind::other;
  std::uint32_t function = 0;  ///< the listener's number of the driver's function
  std::uint32_t runtime = 0;   ///< of the runtime's function around it; 0: none
  std::uint64_t context = 0, thread = 0;
  std::uint32_t correlation = 0;        ///< the listener's number of the call, for its device time
  std::uint64_t stream = 0, event = 0;  ///< handles
  std::uint64_t destination = 0, source = 0;  ///< addresses; `destination` also of an allocation
  std::uint64_t pool =
      0;  ///< of a stream-ordered allocation: a handle; 0: the device's current one
  std::uint64_t bytes = 0;   ///< in all
  std::uint64_t height = 1;  ///< rows of a two-dimensional copy or memset
  std::uint64_t destination_pitch = 0, source_pitch = 0;
  /// Each copy of a batch; null: the call is no batch. For a batch the addresses above are those of
  /// the first copy.
  std::shared_ptr<const ObservedBatch> batch{};
  std::uint32_t value = 0;  ///< of a memset; its width lies in `value_bytes`
  std::uint32_t value_bytes = 0;
  std::uint64_t executable = 0;  ///< graph of a launch or change: a handle
  /// What the graph does that is launched, or that a change of the whole graph made; null: it is
  /// not known, or not launched.
  std::shared_ptr<const ObservedGraph> graph{};
  /// For a change of one node: what it does now, and its number in the graph.
  std::shared_ptr<const ObservedNode> changed{};
  std::uint32_t node = 0;
  ObservedLaunch launch{};
  /// The host waited in it for the device. Need not be set where the kind says so; a copy that is
  /// not asynchronous needs it, or a loop of such copies has no wait that ends an iteration.
  bool waits = false;
  /// It copied from or to the host, and nothing of it is under way.
  bool done = false;
  const char* refusal = nullptr;  ///< why no replay can repeat it, for ever; null: it can
  double begin_us = 0, end_us = 0;
  std::uint32_t inside = 0;  ///< calls within it that called back, too
  TimeBefore before{};
};

}  // namespace trilane
