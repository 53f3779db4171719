// An iteration as a replay makes it again and again, with host buffers of its own.
#pragma once

#include <vector>

#include "common/application/recording/core/application_recorder.hpp"
#include "common/application/recording/records/application_recording.hpp"
#include "common/application/replay/calls/replayed_allocations.hpp"
#include "common/application/replay/calls/replayed_call.hpp"
#include "common/application/replay/calls/replayed_host.hpp"

namespace trilane {

/// Everything that was taken of one iteration.
struct TakenIteration {
  ApplicationRecording recording;
  ObservedIteration observed;
  std::vector<CapturedCall> captured;
  std::vector<std::vector<std::size_t>> parameters;  ///< by call: where a launch's parameters begin
};

class ReplayedIteration {
 public:
  /// Throws NotPossible, naming the call, where the iteration cannot be repeated. `gap_share`
  /// scales the application's own time between calls, which recording made longer.
  ReplayedIteration(const TakenIteration& taken, HostKind host, double gap_share);

  const std::vector<ReplayedCall>& calls() const { return calls_; }
  /// Bytes of each allocation that the iteration makes, by number.
  const std::vector<std::uint64_t>& allocations() const { return allocations_.bytes(); }
  /// How many events it uses; their numbers are below that.
  std::uint32_t events() const { return events_; }

  /// Where the copies to the host write, in the order of their first call.
  std::vector<MemoryFacts> outputs() const { return host_.outputs(); }
  /// Overwrites all of that.
  void poison() { host_.poison(); }

 private:
  ReplayedCall replayed(const TakenIteration& taken, std::size_t i);
  void place(const TakenIteration& taken, std::size_t i, ReplayedCall& call);
  void place_launch(const TakenIteration& taken, std::size_t i, ReplayedCall& call) const;
  void place_copy(const TakenIteration& taken, std::size_t i, ReplayedCall& call);
  void place_memset(const ObservedCall& observed, ReplayedCall& call) const;

  ReplayedHost host_;
  ReplayedAllocations allocations_;
  std::vector<ReplayedCall> calls_;
  std::uint32_t events_ = 0;
};

}  // namespace trilane
