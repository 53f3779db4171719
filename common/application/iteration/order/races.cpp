#include "common/application/iteration/order/races.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "common/application/iteration/order/accesses.hpp"
#include "common/application/iteration/order/graph_order.hpp"
#include "common/application/iteration/order/race_groups.hpp"
#include "common/application/iteration/records/application_recording.hpp"
#include "common/application/iteration/records/call_kinds.hpp"

namespace trilane {
namespace {

/// Checking this many pairs takes some two seconds.
constexpr std::size_t most_pairs = 20'000'000;
/// Limit of node pairs whose memory alone is compared: also some two seconds.
constexpr std::size_t most_compared = 2'000'000'000;

class Search {
 public:
  Search(const ApplicationRecording& recording, const HappensBefore& order)
      : recording_(recording), order_(order), groups_(recording) {
    for (const RecordedGraph& graph : recording.graphs) {
      std::vector<RecordedCall>& nodes = nodes_.emplace_back();
      for (const RecordedNode& node : graph.nodes) nodes.push_back(operation_of(node));
    }
  }

  Races run() {
    std::map<std::uint32_t, MemoryAccesses> memory;
    const std::size_t repetitions = repeats_at_once(recording_) ? 2 : 1;
    for (std::size_t place = 0; place < repetitions * calls(); ++place) {
      const RecordedCall& call = call_at(place);
      forget_allocated(call, memory);
      if (!is_operation(call.kind)) continue;
      add_accesses({place, nullptr, &call}, memory);
      if (!call.graph) continue;
      for (const RecordedCall& node : nodes_[*call.graph]) {
        forget_allocated(node, memory);
        add_accesses({place, nullptr, &node, true}, memory);
      }
      if (place < calls()) look_within(place, *call.graph);
    }
    return {.found = groups_.all(), .cut = pairs_ > most_pairs || compared_ > most_compared};
  }

 private:
  std::size_t calls() const { return recording_.calls.size(); }
  const RecordedCall& call_at(std::size_t place) const { return recording_.calls[place % calls()]; }

  /// The allocator orders uses of a reused place.
  static void forget_allocated(const RecordedCall& call,
                               std::map<std::uint32_t, MemoryAccesses>& memory) {
    if (!allocates(call.kind)) return;
    for (const UsedRange& range : call.uses) memory.erase(range.memory);
  }

  void add_accesses(RecordedAccess access, std::map<std::uint32_t, MemoryAccesses>& memory) {
    for (const UsedRange& range : access.operation->uses) {
      if (range.bytes == 0) continue;
      access.range = &range;
      memory.try_emplace(range.memory, order_)
          .first->second.add(access, [&](const UnorderedPair& pair) { return look_at(pair); });
    }
  }

  /// Looks for nodes of a graph that no edges order.
  void look_within(std::size_t place, std::uint32_t graph) {
    if (!looked_within_.insert(graph).second) return;
    const std::vector<RecordedCall>& nodes = nodes_[graph];
    if (!may_compare(nodes.size(), nodes.size() / 2)) return;
    const GraphOrder order(recording_.graphs[graph]);
    for (std::size_t later = 0; later < nodes.size(); ++later) {
      for (std::size_t earlier = 0; earlier < later; ++earlier) {
        if (order.ordered(earlier, later)) continue;
        if (!may_compare(nodes[earlier].uses.size(), nodes[later].uses.size())) return;
        for (const UsedRange& one : nodes[earlier].uses) {
          for (const UsedRange& two : nodes[later].uses) {
            const bool same = one.memory == two.memory && one.bytes > 0 && two.bytes > 0;
            if (!same) continue;
            const UnorderedPair pair{{place, &one, &nodes[earlier], true},
                                     {place, &two, &nodes[later], true}};
            if (!look_at(pair)) return;
          }
        }
      }
    }
  }

  bool may_compare(std::size_t some, std::size_t others) {
    compared_ += some * others;
    return compared_ <= most_compared;
  }

  bool look_at(const UnorderedPair& pair) {
    if (++pairs_ > most_pairs) return false;
    if (is_race(pair)) groups_.add(pair);
    return true;
  }

  bool is_race(const UnorderedPair& pair) const {
    const UsedRange &one = *pair.first.range, &two = *pair.second.range;
    if (!conflict(one, two)) return false;
    const RecordedCall& first = *pair.first.operation;
    const RecordedMemory& memory = recording_.memory[one.memory];
    // The driver has read or written pageable memory before the call returns.
    if (memory.kind == MemoryKind::pageable && first.kind == CallKind::copy &&
        !pair.first.in_graph) {
      return false;
    }
    if (pair.second.place < calls()) return true;
    return pair.first.place < calls() && !memory.within &&
           same_everywhere(call_at(pair.first.place)) &&
           same_everywhere(call_at(pair.second.place));
  }

  const ApplicationRecording& recording_;
  const HappensBefore& order_;
  std::vector<std::vector<RecordedCall>> nodes_;  ///< by graph
  std::set<std::uint32_t> looked_within_;
  std::size_t pairs_ = 0, compared_ = 0;
  RaceGroups groups_;
};

}  // namespace

bool repeats_at_once(const ApplicationRecording& recording) {
  return recording.found == Found::repeats;
}

bool same_everywhere(const RecordedCall& call) {
  return call.pointers == Variation::constant &&
         std::ranges::all_of(call.arguments, [](Variation v) { return v == Variation::constant; });
}

Races races_in(const ApplicationRecording& recording, const HappensBefore& order) {
  return Search(recording, order).run();
}

}  // namespace trilane
