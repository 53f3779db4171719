#include "common/recording/stretches/stretches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace trilane {

namespace {

using Nodes = std::set<std::uint32_t>;  // positions in the stretch

/// Follows the order of one stretch.
class StretchOrder {
  struct Place {
    std::uint32_t stream, number;  // on the stream, from 1
  };

 public:
  explicit StretchOrder(const std::vector<RecordedStream>& streams) : streams_(streams) {
    begin_stretch();
  }

  /// Forgets everything: the host has waited.
  void begin_stretch() {
    tails_.assign(streams_.size(), {});
    events_.clear();
    places_.clear();
    seen_.clear();
    length_.assign(streams_.size(), 0);
  }

  /// What an operation on the stream follows; afterwards it is what the stream ends in.
  std::vector<std::uint32_t> add(std::uint32_t stream, std::uint32_t node) {
    Nodes before = tails_[stream];
    each_implied(stream, [&](Nodes& tail) { before.insert(tail.begin(), tail.end()); });
    tails_[stream] = {node};
    if (is_legacy(stream)) each_implied(stream, [&](Nodes& tail) { tail = {node}; });
    std::vector<std::uint32_t> direct = without_implied(before);
    std::vector<std::uint32_t> seen(streams_.size());
    for (const std::uint32_t earlier : direct) {
      for (std::size_t s = 0; s < seen.size(); ++s) {
        seen[s] = std::max(seen[s], seen_[earlier][s]);
      }
    }
    seen[stream] = ++length_[stream];
    places_.push_back({stream, length_[stream]});
    seen_.push_back(std::move(seen));
    return direct;
  }

  void record(std::uint32_t stream, std::uint32_t event) {
    Nodes tail = tails_[stream];
    each_implied(stream, [&](const Nodes& other) { tail.insert(other.begin(), other.end()); });
    events_[event] = std::move(tail);
  }

  void wait(std::uint32_t stream, std::uint32_t event) {
    const Nodes& recorded = events_[event];
    tails_[stream].insert(recorded.begin(), recorded.end());
  }

 private:
  bool is_legacy(std::uint32_t stream) const { return streams_[stream].kind == StreamKind::legacy; }

  bool obeys_legacy(std::uint32_t stream) const {
    switch (streams_[stream].kind) {
      case StreamKind::per_thread:
      case StreamKind::blocking: return true;
      case StreamKind::legacy:
      case StreamKind::non_blocking: return false;
    }
    return false;
  }

  /// The ends of the streams that an operation on this one follows without being told to: of the
  /// legacy stream, or on it those of all that obey it.
  template <typename Visit>
  void each_implied(std::uint32_t stream, Visit visit) {
    for (std::uint32_t other = 0; other < streams_.size(); ++other) {
      const bool implied =
          is_legacy(stream) ? obeys_legacy(other) : obeys_legacy(stream) && is_legacy(other);
      if (implied) visit(tails_[other]);
    }
  }

  std::vector<std::uint32_t> without_implied(const Nodes& nodes) const {
    std::vector<std::uint32_t> kept;
    for (const std::uint32_t node : nodes) {
      const Place& place = places_[node];
      const bool implied = std::ranges::any_of(nodes, [&](std::uint32_t other) {
        return other != node && seen_[other][place.stream] >= place.number;
      });
      if (!implied) kept.push_back(node);
    }
    return kept;
  }

  const std::vector<RecordedStream>& streams_;
  std::vector<Nodes> tails_;  // by stream: what its next operation follows
  std::map<std::uint32_t, Nodes> events_;
  std::vector<Place> places_;  // by node
  /// By node and stream: how many of the stream's nodes it is or follows.
  std::vector<std::vector<std::uint32_t>> seen_;
  std::vector<std::uint32_t> length_;  // by stream: its nodes so far
};

}  // namespace

bool is_operation(const RecordedCall& call) {
  switch (call.kind) {
    case CallKind::kernel:
    case CallKind::copy:
    case CallKind::memset:
    case CallKind::graph_launch:
    case CallKind::host_function: return true;
    case CallKind::record_event:
    case CallKind::wait_event:
    case CallKind::synchronize_stream:
    case CallKind::synchronize_event:
    case CallKind::synchronize_context:
    case CallKind::query:
    case CallKind::allocate:
    case CallKind::free:
    case CallKind::allocate_async:
    case CallKind::free_async:
    case CallKind::allocate_host:
    case CallKind::free_host:
    case CallKind::other: return false;
  }
  return false;
}

bool is_wait(const RecordedCall& call) {
  switch (call.kind) {
    case CallKind::synchronize_stream:
    case CallKind::synchronize_event:
    case CallKind::synchronize_context: return true;
    case CallKind::copy: return call.synchronous;
    case CallKind::kernel:
    case CallKind::memset:
    case CallKind::graph_launch:
    case CallKind::host_function:
    case CallKind::record_event:
    case CallKind::wait_event:
    case CallKind::query:
    case CallKind::allocate:
    case CallKind::free:
    case CallKind::allocate_async:
    case CallKind::free_async:
    case CallKind::allocate_host:
    case CallKind::free_host:
    case CallKind::other: return false;
  }
  return false;
}

std::vector<double> host_gaps(const Recording& recording) {
  std::vector<double> gaps;
  double end_us = 0;
  for (const RecordedCall& call : recording.calls) {
    gaps.push_back(std::max(0.0, call.start_us - end_us));
    end_us = std::max(end_us, call.start_us + call.host_us);
  }
  return gaps;
}

std::vector<Stretch> stretches_of(const Recording& recording) {
  const std::vector<double> gaps = host_gaps(recording);
  std::vector<Stretch> stretches(1);
  StretchOrder order(recording.streams);
  for (std::uint32_t i = 0; i < recording.calls.size(); ++i) {
    const RecordedCall& call = recording.calls[i];
    Stretch& stretch = stretches.back();
    stretch.host_us += gaps[i];
    if (call.kind == CallKind::query) stretch.host_us += call.host_us;
    if (call.kind == CallKind::record_event) order.record(call.stream, call.event);
    if (call.kind == CallKind::wait_event) order.wait(call.stream, call.event);
    if (is_operation(call)) {
      const auto node = static_cast<std::uint32_t>(stretch.nodes.size());
      stretch.nodes.push_back({i, order.add(call.stream, node)});
    }
    if (is_wait(call)) {
      stretches.emplace_back();
      order.begin_stretch();
    }
  }
  const Stretch& last = stretches.back();
  if (last.nodes.empty() && last.host_us == 0) stretches.pop_back();
  return stretches;
}

std::string why_no_graph(const Recording& recording) {
  for (const RecordedCall& call : recording.calls) {
    if (!call.refusal.empty()) return fmt::format("{}: {}", call.name, call.refusal);
    if (call.kind == CallKind::graph_launch) return call.name + ": it launches a graph already";
    if (call.kind == CallKind::host_function) {
      return call.name + ": what the host function does is not known";
    }
  }
  return {};
}

}  // namespace trilane
