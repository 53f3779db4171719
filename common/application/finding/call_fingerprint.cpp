#include "common/application/finding/call_fingerprint.hpp"

#include "common/application/finding/period_finder.hpp"

namespace trilane {
namespace {

constexpr std::size_t most_events = 1 << 20, most_graphs = 1 << 16;
/// A wait for an event recorded more records ago counts as one for work before the loop.
constexpr std::uint64_t most_records = 1024;

struct Hash {
  std::uint64_t value = 0x9e3779b97f4a7c15u;
  void operator()(std::uint64_t part) { value = mixed(value, part); }
};

std::uint64_t both(std::uint64_t high, std::uint64_t low) { return high << 32 | low; }

void add_launch(Hash& hash, const ObservedLaunch& launch) {
  hash(launch.function);
  hash(both(launch.grid[0], launch.grid[1]));
  hash(both(launch.grid[2], launch.block[0]));
  hash(both(launch.block[1], launch.block[2]));
  hash(launch.shared_bytes);
  hash(reinterpret_cast<std::uint64_t>(launch.attributes));
}

void add_bytes(Hash& hash, const ObservedCall& call, const CallFingerprints::KindOf& kind_of) {
  const bool moves = moves_bytes(call.kind);
  const auto add_kinds = [&](std::uint64_t destination, std::uint64_t source) {
    const auto kind = [&](std::uint64_t address) {
      return static_cast<std::uint64_t>(moves ? kind_of(address) : MemoryKind::unknown);
    };
    hash(both(kind(destination), kind(source)));
  };
  add_kinds(call.destination, call.source);
  if (call.batch) {
    hash(call.batch->copies.size());
    for (const auto& [destination, source, bytes] : call.batch->copies) {
      add_kinds(destination, source);
      hash(bytes);
    }
  }
  hash(call.bytes);
  hash(both(call.height, call.value_bytes));
}

/// Returns a number that is the same for nodes with the same addresses and arguments.
std::uint64_t value_of(const ObservedNode& node) {
  Hash hash;
  hash(node.call.destination);
  hash(node.call.source);
  hash(node.call.value);
  for (const std::byte byte : node.arguments) hash(static_cast<std::uint64_t>(byte));
  return hash.value;
}

std::uint64_t value_of(const ObservedGraph& graph) {
  Hash hash;
  for (const auto& node : graph.nodes) hash(value_of(*node));
  return hash.value;
}

}  // namespace

std::uint64_t CallFingerprints::of(const ObservedCall& call, const KindOf& kind_of) {
  Hash hash{kind_fingerprint(call)};
  if (call.kind == CallKind::kernel) {
    add_launch(hash, call.launch);
    return hash.value;
  }
  add_bytes(hash, call, kind_of);
  if (call.graph) {
    hash(of_graph(*call.graph, kind_of));
  } else if (call.kind == CallKind::graph_launch) {
    hash(call.executable);
  }
  if (call.changed) {
    hash(call.node);
    add_launch(hash, call.changed->call.launch);
    add_bytes(hash, call.changed->call, unknown_kind);
  }
  if (call.kind == CallKind::record_event) {
    if (recorded_.size() >= most_events) recorded_.clear();
    recorded_[call.event] = ++records_;
  } else if (call.event != 0) {
    hash(records_since(call.event));
  }
  return hash.value;
}

/// Learns it from the first call that has the graph.
std::uint64_t CallFingerprints::of_graph(const ObservedGraph& graph, const KindOf& kind_of) {
  if (const auto known = graphs_.find(graph.number); known != graphs_.end()) return known->second;
  if (graphs_.size() >= most_graphs) graphs_.clear();
  Hash hash;
  for (const auto& node : graph.nodes) {
    const ObservedCall& call = node->call;
    hash(static_cast<std::uint64_t>(call.kind));
    add_launch(hash, call.launch);
    add_bytes(hash, call, kind_of);
    hash(node->after.size());
    for (const std::uint32_t earlier : node->after) hash(earlier);
  }
  return graphs_[graph.number] = hash.value;
}

std::uint64_t CallFingerprints::records_since(std::uint64_t event) {
  const auto recorded = recorded_.find(event);
  if (recorded == recorded_.end()) return most_records;
  return std::min(records_ - recorded->second, most_records);
}

std::uint64_t addresses_of(const ObservedCall& call) {
  if (call.changed) return value_of(*call.changed);
  if (call.graph) return value_of(*call.graph);
  if (call.batch) {
    Hash hash;
    for (const auto& [destination, source, bytes] : call.batch->copies) {
      hash(destination);
      hash(source);
    }
    return hash.value;
  }
  return call.destination * 0x9e3779b97f4a7c15u ^ call.source;
}

std::uint64_t kind_fingerprint(const ObservedCall& call) {
  Hash hash;
  hash(both(static_cast<std::uint64_t>(call.kind), call.function));
  hash(call.stream);
  return hash.value;
}

std::uint64_t work_fingerprint(const ObservedCall& call) {
  Hash hash;
  hash(both(static_cast<std::uint64_t>(call.kind), call.function));
  add_launch(hash, call.launch);
  add_bytes(hash, call, CallFingerprints::unknown_kind);
  return hash.value;
}

std::uint64_t SameCalls::fingerprint_of(const ObservedCall& call,
                                        CallFingerprints& fingerprints) const {
  if (in_kind_) {
    Hash hash{kind_fingerprint(call)};
    hash(call.launch.function);
    return hash.value;
  }
  return fingerprints.of(call);
}

SameCalls::SameCalls(std::span<const ObservedCall> known, bool in_kind) : in_kind_(in_kind) {
  CallFingerprints fingerprints;
  for (const ObservedCall& call : known) {
    known_.push_back({call.function, fingerprint_of(call, fingerprints)});
  }
}

bool SameCalls::next(const ObservedCall& call) {
  const std::size_t number = next_++;
  return number < known_.size() &&
         known_[number].fingerprint == fingerprint_of(call, fingerprints_);
}

}  // namespace trilane
