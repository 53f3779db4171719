#include "common/application/diagnosis/call_findings.hpp"

namespace trilane {
namespace {

bool covers(VectorClock known, const VectorClock& work) { return !known.join(work); }

/// Returns true if the launched graph is unknown or has nodes that may record events.
bool may_record(const ApplicationRecording& recording, const RecordedCall& launch) {
  return !launch.graph ||
         includes(recording.graphs[*launch.graph].nodes, CallKind::other, &RecordedNode::kind);
}

/// Tracks the work that the host and the streams have certainly waited for as calls are issued.
/// Clocks have an entry for each stream, and a last one for streams without a name.
class ProvenWaits {
 public:
  explicit ProvenWaits(const ApplicationRecording& recording)
      : recording_(recording),
        streams_(recording.streams.size()),
        issued_(streams_ + 1),
        host_(streams_ + 1),
        in_stream_(streams_, VectorClock(streams_ + 1)),
        waited_in_stream_(streams_, VectorClock(streams_ + 1)) {
    issue_anywhere();
  }

  /// Takes the next call. Returns true if it certainly waits for nothing.
  bool take(const RecordedCall& call) {
    switch (role_of(call.kind)) {
      case CallRole::work:
      case CallRole::host_function: issue(call.stream); return false;
      case CallRole::graph_launch:
        issue(call.stream);
        if (may_record(recording_, call)) events_.clear();
        return false;
      case CallRole::record_event:
        issue(call.stream);  // an event takes time to complete, too
        events_[call.event] = in_stream_[call.stream];
        return false;
      case CallRole::wait_event: return wait_in_stream(call);
      case CallRole::synchronize_stream: return wait_on_host(in_stream_[call.stream]);
      case CallRole::synchronize_event: {
        const auto event = events_.find(call.event);
        return event != events_.end() && wait_on_host(event->second);
      }
      case CallRole::synchronize_context: return wait_on_host(issued_);
      case CallRole::release:
        if (!is_operation(call.kind)) return covers(host_, issued_);
        issue(call.stream);
        return false;
      case CallRole::allocation:
        if (is_operation(call.kind)) issue(call.stream);
        return false;
      case CallRole::query:
      case CallRole::graph_change: return false;
      case CallRole::other:
        events_.clear();
        issue_anywhere();
        return false;
    }
    return false;
  }

 private:
  void issue(std::uint32_t stream) {
    add_to(stream);
    order_by_legacy_rule(stream);
  }

  /// Leaves work in each stream that this stream makes wait: a wait for it may be for this action.
  void order_by_legacy_rule(std::uint32_t stream) {
    const StreamKind kind = recording_.streams[stream].kind;
    if (kind == StreamKind::non_blocking) return;
    for (std::uint32_t other = 0; other < streams_; ++other) {
      const StreamKind others = recording_.streams[other].kind;
      const bool one_is_legacy = (kind == StreamKind::legacy) != (others == StreamKind::legacy);
      if (one_is_legacy && others != StreamKind::non_blocking) add_to(other);
    }
  }

  void add_to(std::uint32_t stream) {
    issued_.set(stream, issued_[stream] + 1);
    in_stream_[stream].set(stream, issued_[stream]);
    waited_in_stream_[stream] = VectorClock(streams_ + 1);
  }

  void issue_anywhere() {
    for (std::uint32_t stream = 0; stream < streams_; ++stream) add_to(stream);
    issued_.set(streams_, issued_[streams_] + 1);
  }

  /// Returns true if the wait certainly waits for nothing. In the legacy stream it never does,
  /// since it is a barrier for other streams. Nor does a wait that only later work of its own
  /// stream made needless: it can keep kernels apart that a programmatic launch lets overlap.
  bool wait_in_stream(const RecordedCall& call) {
    const auto event = events_.find(call.event);
    const bool is_legacy = in_legacy_stream(call, recording_);
    if (event == events_.end() || is_legacy) {
      issue(call.stream);
      if (event != events_.end()) in_stream_[call.stream].join(event->second);
      return false;
    }
    VectorClock known = host_;
    known.join(waited_in_stream_[call.stream]);
    const bool for_nothing = covers(std::move(known), event->second);
    in_stream_[call.stream].join(event->second);
    waited_in_stream_[call.stream].join(event->second);
    order_by_legacy_rule(call.stream);
    return for_nothing;
  }

  bool wait_on_host(const VectorClock& work) { return !host_.join(work); }

  const ApplicationRecording& recording_;
  const std::size_t streams_;
  VectorClock issued_, host_;
  std::vector<VectorClock> in_stream_;           ///< what a wait for the stream waits for
  std::vector<VectorClock> waited_in_stream_;    ///< by events since its last action
  std::map<std::uint32_t, VectorClock> events_;  ///< recorded in this iteration
};

}  // namespace

bool repeats_exactly(const ApplicationRecording& recording) {
  const bool one_host = recording.threads == 1 && recording.contexts == 1;
  return one_host && recording.found != Found::none && !recording.unequal && !recording.broken;
}

std::vector<bool> waits_for_nothing(const ApplicationRecording& recording) {
  std::vector<bool> proven(recording.calls.size());
  if (!repeats_exactly(recording)) return proven;
  ProvenWaits waits(recording);
  for (std::size_t i = 0; i < proven.size(); ++i) proven[i] = waits.take(recording.calls[i]);
  return proven;
}

}  // namespace trilane
