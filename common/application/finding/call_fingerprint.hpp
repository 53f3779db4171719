// Decides whether two calls are the same call of an iteration.
#pragma once

#include "common/application/iteration/observed_call.hpp"

namespace trilane {

/// Returns true if the host waits for the device in the call.
inline bool is_host_wait(const ObservedCall& call) { return call.waits || only_waits(call.kind); }

/// Returns the fingerprint of the call in kind: function and stream. Sizes and kernels may differ.
std::uint64_t kind_fingerprint(const ObservedCall& call);

/// Returns the fingerprint of what the call does: function, kernel, geometry and bytes, but neither
/// stream nor event, in which threads that are alike differ.
std::uint64_t work_fingerprint(const ObservedCall& call);

/// Fingerprints of calls, in order. They contain no address and no argument, but:
/// - kind, function, stream, kernel, geometry, attributes, shared memory and graph;
/// - kinds of memory, bytes, rows and a memset value's width; for a batch, those of each copy;
/// - for an event, how many records ago it was recorded, so that new events in each iteration
///   repeat;
/// - for a graph, the same of its nodes and their order, or its handle if it is unknown.
class CallFingerprints {
 public:
  using KindOf = std::function<MemoryKind(std::uint64_t)>;  ///< of the memory at an address
  static MemoryKind unknown_kind(std::uint64_t) { return MemoryKind::unknown; }

  std::uint64_t of(const ObservedCall& call, const KindOf& kind_of = unknown_kind);

  /// Forgets all records of events, because some calls were not seen.
  void resume() { recorded_.clear(); }
  /// Returns true if the call waits for an event without a known record.
  bool lacks_record(const ObservedCall& call) const {
    return call.event != 0 && call.kind != CallKind::record_event &&
           !recorded_.contains(call.event);
  }

 private:
  std::uint64_t of_graph(const ObservedGraph& graph, const KindOf& kind_of);
  std::uint64_t records_since(std::uint64_t event);

  std::unordered_map<std::uint64_t, std::uint64_t> recorded_;  ///< number of the record, by event
  std::uint64_t records_ = 0;
  std::unordered_map<std::uint64_t, std::uint64_t> graphs_;  ///< fingerprint, by number
};

/// Returns a number for the addresses that the call uses and, for a graph, its nodes' arguments.
std::uint64_t addresses_of(const ObservedCall& call);

/// Compares fingerprints without kinds of memory, which may be unknown for one side. For steps
/// `in_kind` compares only functions, streams and kernels.
class SameCalls {
 public:
  explicit SameCalls(std::span<const ObservedCall> known, bool in_kind = false);

  /// Takes the next call. Returns true if it equals the next one of the known iteration.
  bool next(const ObservedCall& call);
  /// Returns the driver's function expected next; 0: none exists.
  std::uint32_t expected_function() const {
    return next_ < known_.size() ? known_[next_].function : 0;
  }

 private:
  struct Known {
    std::uint32_t function;
    std::uint64_t fingerprint;
  };

  std::uint64_t fingerprint_of(const ObservedCall& call, CallFingerprints& fingerprints) const;

  bool in_kind_;
  std::vector<Known> known_;
  CallFingerprints fingerprints_;
  std::size_t next_ = 0;
};

}  // namespace trilane
