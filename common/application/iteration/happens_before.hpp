// The order of operations by CUDA's rules: streams, events, the legacy stream, the host's waits.
#pragma once

#include <boost/dynamic_bitset.hpp>

#include "common/application/iteration/application_recording.hpp"
#include "common/application/iteration/recorded_call.hpp"

namespace trilane {

/// Counts how many operations of each stream are known to be done; all 0 by default.
class VectorClock {
 public:
  VectorClock() = default;
  explicit VectorClock(std::size_t streams) : done_(streams) {}

  std::uint32_t operator[](std::size_t stream) const { return done_[stream]; }
  void set(std::size_t stream, std::uint32_t count) { done_[stream] = count; }

  /// Adds what the other knows. Returns true if that was more.
  bool join(const VectorClock& other) {
    bool more = false;
    for (std::size_t i = 0; i < other.done_.size(); ++i) {
      if (other.done_[i] <= done_[i]) continue;
      done_[i] = other.done_[i];
      more = true;
    }
    return more;
  }

 private:
  std::vector<std::uint32_t> done_;
};

/// The rule that orders an operation behind another one.
enum class OrderedBy : std::uint8_t { stream, event, legacy, graph };

/// An operation that another one follows directly.
struct Predecessor {
  std::size_t place = 0;  ///< see HappensBefore
  OrderedBy by = OrderedBy::stream;
  bool operator==(const Predecessor&) const = default;
};

/// The order of one call, as known when it is issued.
struct IssuedCall {
  std::uint32_t stream = 0, number = 0;  ///< operations are numbered by stream, from 1
  VectorClock before;                    ///< for an operation: what is done when it starts
  std::vector<Predecessor> after;        ///< for an operation; for a wait: what it waits for
  /// The place of the call in the legacy stream by whose rule alone it follows another stream's
  /// operations: itself, or the last one before it; absent: no such order.
  std::optional<std::size_t> by_legacy;
};

/// The host's waits order later calls, or are ignored: then only the device's own order counts.
enum class HostWaits : std::uint8_t { order, ignored };

/// The order of the calls of a recording, repeated: the call at place p is number p % calls of
/// repetition p / calls. Takes time and memory in proportion to calls times streams.
class HappensBefore {
 public:
  HappensBefore(const ApplicationRecording& recording, std::size_t repetitions,
                HostWaits waits = HostWaits::order);

  /// Returns true if the operation issued at `earlier` is done before the one at `later` starts.
  /// Both must be operations, issued in this order.
  bool ordered(std::size_t earlier, std::size_t later) const;

  /// Returns true if the host's waits cover every operation by the end of the last repetition.
  bool host_waited_for_all() const { return host_waited_for_all_; }

  const IssuedCall& at(std::size_t place) const { return calls_[place]; }
  std::size_t places() const { return calls_.size(); }

 private:
  std::vector<IssuedCall> calls_;
  bool host_waited_for_all_ = true;
};

/// Tells which nodes of a graph or a segment its edges order. Takes 6 MB for 10,000 nodes, by their
/// square; each edge takes a step for every 64 nodes before it.
class GraphOrder {
 public:
  explicit GraphOrder(const auto& graph) : before_(graph.nodes.size()) {
    for (std::size_t i = 0; i < before_.size(); ++i) {
      before_[i].resize(i);
      for (const std::uint32_t earlier : graph.nodes[i].after) {
        if (ordered(earlier, i)) continue;  // with all its predecessors
        boost::dynamic_bitset<> more = before_[earlier];
        more.resize(i);
        before_[i] |= more.set(earlier);
      }
    }
  }

  /// Returns true if node `earlier`, which has the smaller number, is done before `later` starts.
  bool ordered(std::size_t earlier, std::size_t later) const { return before_[later][earlier]; }

 private:
  std::vector<boost::dynamic_bitset<>> before_;  ///< by node: a bit for each node before it
};

}  // namespace trilane
