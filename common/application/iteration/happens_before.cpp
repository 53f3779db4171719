#include "common/application/iteration/happens_before.hpp"

#include "common/application/iteration/call_traits.hpp"

namespace trilane {
namespace {

void add_frontier(std::vector<Predecessor>& to, const std::vector<Predecessor>& from,
                  OrderedBy by) {
  for (const Predecessor& one : from) {
    if (!includes(to, one.place, &Predecessor::place)) to.push_back({one.place, by});
  }
}

class IssueState {
 public:
  IssueState(const ApplicationRecording& recording, HostWaits waits)
      : recording_(recording),
        waits_(waits),
        streams_(recording.streams.size(), Point{VectorClock(recording.streams.size()), {}}),
        counts_(recording.streams.size()),
        host_(recording.streams.size()),
        legacy_{VectorClock(recording.streams.size()), {}},
        blocking_{VectorClock(recording.streams.size()), {}} {}

  /// Takes the next call.
  IssuedCall issue(const RecordedCall& call, std::size_t place) {
    IssuedCall order;
    Point before;
    if (acts_in_stream(call.kind)) {
      begin_action(call.stream, place, order);
      if (host_wait_of(call, recording_) == HostWait::before) before = streams_[call.stream];
      if (call.executable) follow_launch(call);
      if (is_operation(call.kind)) add_operation(call, place, order);
      if (call.executable) launches_[*call.executable] = streams_[call.stream];
      if (call.kind == CallKind::wait_event) wait_in_stream(call);
      if (call.kind == CallKind::record_event) events_[call.event] = streams_[call.stream];
      end_action(call.stream, place);
    }
    host_waits(call, before, order);
    return order;
  }

  bool host_waited_for_all() const {
    for (std::size_t stream = 0; stream < counts_.size(); ++stream) {
      if (host_[stream] < counts_[stream]) return false;
    }
    return true;
  }

 private:
  /// A point in a stream: what is done when it is reached, and the operations just before it.
  struct Point {
    VectorClock done;
    std::vector<Predecessor> frontier;
  };

  /// Orders later actions of the stream behind the host's waits and by the legacy stream's rule.
  void begin_action(std::uint32_t stream, std::size_t place, IssuedCall& order) {
    Point& point = streams_[stream];
    point.done.join(host_);
    if (is_blocking(stream) && point.done.join(legacy_.done)) {
      order.by_legacy = legacy_place_;
      add_frontier(point.frontier, legacy_.frontier, OrderedBy::legacy);
    } else if (is_legacy(stream) && point.done.join(blocking_.done)) {
      order.by_legacy = place;
      for (std::size_t other = 0; other < streams_.size(); ++other) {
        if (!is_blocking(other)) continue;
        add_frontier(point.frontier, streams_[other].frontier, OrderedBy::legacy);
      }
    }
  }

  void end_action(std::uint32_t stream, std::size_t place) {
    if (is_blocking(stream)) blocking_.done.join(streams_[stream].done);
    if (!is_legacy(stream)) return;
    legacy_ = streams_[stream];
    legacy_place_ = place;
  }

  bool is_legacy(std::size_t stream) const {
    return recording_.streams[stream].kind == StreamKind::legacy;
  }

  /// Returns true if the stream and the legacy one are ordered with each other.
  bool is_blocking(std::size_t stream) const {
    return !is_legacy(stream) && recording_.streams[stream].kind != StreamKind::non_blocking;
  }

  void add_operation(const RecordedCall& call, std::size_t place, IssuedCall& order) {
    Point& point = streams_[call.stream];
    order.stream = call.stream;
    order.number = ++counts_[call.stream];
    order.before = point.done;
    order.after = std::move(point.frontier);
    point.done.set(call.stream, order.number);
    point.frontier = {{place, OrderedBy::stream}};
  }

  /// "Each launch is ordered behind any previous launches of this graph" (cudaGraphLaunch).
  void follow_launch(const RecordedCall& call) {
    const auto before = launches_.find(*call.executable);
    if (before == launches_.end()) return;
    Point& point = streams_[call.stream];
    if (!point.done.join(before->second.done)) return;
    add_frontier(point.frontier, before->second.frontier, OrderedBy::graph);
  }

  /// An event recorded before the recording orders nothing that is known.
  void wait_in_stream(const RecordedCall& call) {
    const auto event = events_.find(call.event);
    if (event != events_.end() && streams_[call.stream].done.join(event->second.done)) {
      add_frontier(streams_[call.stream].frontier, event->second.frontier, OrderedBy::event);
    }
  }

  void wait_on_host(const Point& point, IssuedCall& order) {
    host_.join(point.done);
    add_frontier(order.after, point.frontier, OrderedBy::stream);
  }

  Point point_of(std::uint32_t stream) const {
    Point point = streams_[stream];
    if (!is_legacy(stream)) return point;
    point.done.join(blocking_.done);
    for (std::size_t other = 0; other < streams_.size(); ++other) {
      if (recording_.streams[other].kind == StreamKind::non_blocking) continue;
      add_frontier(point.frontier, streams_[other].frontier, OrderedBy::stream);
    }
    return point;
  }

  Point everything() const {
    Point all{VectorClock(streams_.size()), {}};
    for (const Point& point : streams_) {
      all.done.join(point.done);
      add_frontier(all.frontier, point.frontier, OrderedBy::stream);
    }
    return all;
  }

  void host_waits(const RecordedCall& call, const Point& before, IssuedCall& order) {
    const HostWait wait = host_wait_of(call, recording_);
    if (wait == HostWait::nothing || waits_ == HostWaits::ignored) return;
    if (is_operation(call.kind)) {  // whose own `after` stays
      host_.join(wait == HostWait::itself ? streams_[call.stream].done : before.done);
      return;
    }
    const bool asks_stream = wait == HostWait::stream || wait == HostWait::stream_and_event;
    const bool asks_event = wait == HostWait::event || wait == HostWait::stream_and_event;
    if (asks_stream) wait_on_host(point_of(call.stream), order);
    if (asks_event && events_.contains(call.event)) wait_on_host(events_.at(call.event), order);
    if (wait == HostWait::everything) wait_on_host(everything(), order);
  }

  const ApplicationRecording& recording_;
  const HostWaits waits_;
  std::vector<Point> streams_;
  std::vector<std::uint32_t> counts_;
  std::map<std::uint32_t, Point> events_;
  std::map<std::uint32_t, Point> launches_;  ///< the latest of each executable graph
  VectorClock host_;
  Point legacy_;  ///< of the last action in the legacy stream
  std::size_t legacy_place_ = 0;
  Point blocking_;  ///< of all streams that are ordered with it; without a frontier
};

}  // namespace

HappensBefore::HappensBefore(const ApplicationRecording& recording, std::size_t repetitions,
                             HostWaits waits) {
  IssueState state(recording, waits);
  calls_.reserve(repetitions * recording.calls.size());
  for (std::size_t i = 0; i < repetitions; ++i) {
    for (const RecordedCall& call : recording.calls) {
      calls_.push_back(state.issue(call, calls_.size()));
    }
  }
  host_waited_for_all_ = state.host_waited_for_all();
}

bool HappensBefore::ordered(std::size_t earlier, std::size_t later) const {
  const IssuedCall& first = calls_[earlier];
  const IssuedCall& second = calls_[later];
  return first.stream == second.stream || second.before[first.stream] >= first.number;
}

}  // namespace trilane
