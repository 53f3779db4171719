#include "common/application/iteration/races.hpp"

#include <compare>

#include "common/application/iteration/call_traits.hpp"

namespace trilane {

namespace {

/// Returns true if the operation uses every byte of the range: a pitched copy skips some.
bool is_exact(const RecordedCall& call, const UsedRange& range) {
  if (range.use == Use::may_use) return false;
  return !moves_bytes(call.kind) || range.bytes <= call.bytes;
}

struct RecordedAccess {
  std::size_t place = 0;  ///< see HappensBefore
  const UsedRange* range = nullptr;
  const RecordedCall* operation = nullptr;  ///< the call, or the operation of a node of its graph
  bool in_graph = false;
};

/// Two accesses that may overlap in time; `first` is issued first.
struct UnorderedPair {
  RecordedAccess first, second;
};

/// Collects races; those between similar operations count as one.
class RaceGroups {
 public:
  explicit RaceGroups(const ApplicationRecording& recording)
      : recording_(recording),
        other_orders_(recording.queried ||
                      includes(recording.calls, CallKind::other, &RecordedCall::kind)) {}

  void add(const UnorderedPair& race) {
    const Key key = key_of(race);
    const auto [group, is_new] = groups_.try_emplace(key);
    if (is_new) group->second = race_of(race, key);
    ++group->second.count;
  }

  /// Returns certain races first, then the more frequent. Omits those that also occur within one.
  std::vector<RecordedRace> all() const {
    std::vector<RecordedRace> races;
    for (const auto& [key, race] : groups_) {
      if (!race.next_iteration || !is_told(key)) races.push_back(race);
    }
    std::ranges::stable_sort(races, std::greater{}, [](const RecordedRace& race) {
      return std::tuple(race.certain, !race.next_iteration, race.count);
    });
    return races;
  }

 private:
  using SideKey = std::tuple<CallKind, std::uint32_t, std::uint32_t, Use, bool>;
  struct Key {
    bool certain, next_iteration;
    std::uint32_t memory;
    SideKey first, second;
    auto operator<=>(const Key&) const = default;
  };

  const RecordedCall& call_at(std::size_t place) const {
    return recording_.calls[place % recording_.calls.size()];
  }

  SideKey key_of(const RecordedAccess& access) const {
    const RecordedCall& operation = *access.operation;
    const std::uint32_t stream = call_at(access.place).stream;
    return {operation.kind, operation.kernel, stream, access.range->use, access.in_graph};
  }

  Key key_of(const UnorderedPair& pair) const {
    return {.certain = !other_orders_ && is_exact(*pair.first.operation, *pair.first.range) &&
                       is_exact(*pair.second.operation, *pair.second.range),
            .next_iteration = pair.second.place >= recording_.calls.size(),
            .memory = pair.first.range->memory,
            .first = key_of(pair.first),
            .second = key_of(pair.second)};
  }

  RaceSide side(const RecordedAccess& access) const {
    const char* const where = access.in_graph ? " in the graph" : "";
    return {.call = access.place % recording_.calls.size(),
            .what = operation_name(*access.operation, recording_) + where,
            .stream = call_at(access.place).stream,
            .use = access.range->use,
            .place = place_of(recording_, access.place % recording_.calls.size())};
  }

  RecordedRace race_of(const UnorderedPair& pair, const Key& key) const {
    const UsedRange &one = *pair.first.range, &two = *pair.second.range;
    const std::uint64_t from = std::max(one.offset, two.offset);
    const std::uint64_t to = std::min(one.offset + one.bytes, two.offset + two.bytes);
    return {.certain = key.certain,
            .next_iteration = key.next_iteration,
            .memory = one.memory,
            .memory_kind = recording_.memory[one.memory].kind,
            .offset = from,
            .bytes = to - from,
            .earlier = side(pair.first),
            .later = side(pair.second),
            .count = 0};
  }

  bool is_told(Key key) const {
    key.next_iteration = false;
    if (groups_.contains(key)) return true;
    std::swap(key.first, key.second);
    return groups_.contains(key);
  }

  const ApplicationRecording& recording_;
  bool other_orders_;  ///< calls may order work in an unknown way
  std::map<Key, RecordedRace> groups_;
};

/// Checking this many pairs takes some two seconds.
constexpr std::size_t most_pairs = 20'000'000;
/// Limit of node pairs whose memory alone is compared: also some two seconds.
constexpr std::size_t most_compared = 2'000'000'000;

class Search {
 public:
  Search(const ApplicationRecording& recording, const HappensBefore& order)
      : recording_(recording), order_(order), groups_(recording) {
    for (const RecordedGraph& graph : recording.graphs) {
      nodes_.push_back(transformed(graph.nodes, operation_of));
    }
  }

  Races run() {
    // Only then is the next iteration known to follow the recorded one at once.
    const std::size_t repetitions = recording_.found == Found::repeats ? 2 : 1;
    for (std::size_t place = 0; place < repetitions * calls(); ++place) {
      const RecordedCall& call = call_at(place);
      forget_allocated(call);
      if (!is_operation(call.kind)) continue;
      add_accesses({place, nullptr, &call});
      if (!call.graph) continue;
      for (const RecordedCall& node : nodes_[*call.graph]) {
        forget_allocated(node);
        add_accesses({place, nullptr, &node, true});
      }
      if (place < calls()) examine_graph(place, *call.graph);
    }
    return {.found = groups_.all(), .cut = pairs_ > most_pairs || compared_ > most_compared};
  }

 private:
  using AccessesByStream = std::map<std::uint32_t, std::vector<RecordedAccess>>;

  std::size_t calls() const { return recording_.calls.size(); }
  const RecordedCall& call_at(std::size_t place) const { return recording_.calls[place % calls()]; }

  /// The allocator orders uses of a reused place.
  void forget_allocated(const RecordedCall& call) {
    if (!allocates(call.kind)) return;
    for (const UsedRange& range : call.uses) memory_.erase(range.memory);
  }

  void add_accesses(RecordedAccess access) {
    for (const UsedRange& range : access.operation->uses) {
      if (range.bytes == 0) continue;
      access.range = &range;
      AccessesByStream& known = memory_[range.memory];
      examine_with(known, access);
      known[order_.at(access.place).stream].push_back(access);
    }
  }

  /// Examines an access, the latest so far, with each earlier one in another stream that is not
  /// ordered before it, latest first.
  void examine_with(const AccessesByStream& known, const RecordedAccess& access) {
    const IssuedCall& late = order_.at(access.place);
    for (const auto& [stream, accesses] : known) {
      if (stream == late.stream) continue;
      for (auto early = accesses.rbegin(); early != accesses.rend(); ++early) {
        if (order_.at(early->place).number <= late.before[stream]) break;
        if (!examine({*early, access})) return;
      }
    }
  }

  void examine_graph(std::size_t place, std::uint32_t graph) {
    if (!examined_.insert(graph).second) return;
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
            if (!examine(pair)) return;
          }
        }
      }
    }
  }

  bool may_compare(std::size_t some, std::size_t others) {
    compared_ += some * others;
    return compared_ <= most_compared;
  }

  bool examine(const UnorderedPair& pair) {
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
    return pair.first.place < calls() && !memory.within && !varies(call_at(pair.first.place)) &&
           !varies(call_at(pair.second.place));
  }

  const ApplicationRecording& recording_;
  const HappensBefore& order_;
  std::vector<std::vector<RecordedCall>> nodes_;  ///< by graph
  std::map<std::uint32_t, AccessesByStream> memory_;
  std::set<std::uint32_t> examined_;  ///< graphs
  std::size_t pairs_ = 0, compared_ = 0;
  RaceGroups groups_;
};

}  // namespace

Races races_in(const ApplicationRecording& recording, const HappensBefore& order) {
  return Search(recording, order).run();
}

}  // namespace trilane
