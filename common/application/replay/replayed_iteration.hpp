// Prepares an iteration for repeated replays, with its own host buffers.
#pragma once

#include "common/application/iteration/application_recording.hpp"
#include "common/application/iteration/observed_call.hpp"
#include "common/application/iteration/surroundings.hpp"
#include "common/application/replay/driver_handles.hpp"
#include "common/application/replay/replayed_call.hpp"

namespace trilane {

/// Memory of an earlier iteration that the taken one frees.
struct InheritedMemory {
  std::size_t call = 0;  ///< that frees it
  std::uint64_t address = 0;
  std::vector<std::byte> content;  ///< at the iteration's start
};

/// Memory that an iteration leaves and that the next one frees.
struct HandedMemory {
  std::size_t call = 0;       ///< that allocates it
  std::uint32_t from = 0;     ///< number of the allocation
  std::uint32_t to = 0;       ///< its number in the next iteration: an index of `inherited`
  MemoryFacts application{};  ///< left by the taken iteration
};

/// Everything that was taken of one iteration.
struct TakenIteration {
  ApplicationRecording recording;
  ObservedIteration observed;
  std::vector<CapturedCall> captured;
  std::vector<std::vector<std::size_t>> parameters;  ///< by call: where a launch's parameters begin
  std::vector<MemoryFacts> kept;                     ///< memory that replays leave in place
  std::vector<std::uint64_t> streams{};      ///< the application's, as far as they are known
  std::vector<InheritedMemory> inherited{};  ///< in the order of the calls
  std::uint64_t skipped_host_functions = 0;  ///< that skip_host_functions() has left out
  std::set<std::uint64_t> joints{};          ///< addresses where copies to the host were joined
};

/// Leaves out host functions, except in graphs. The host's time before them goes to the next call.
void skip_host_functions(TakenIteration& taken);

/// Returns the application's stream with the first operation, unless that is the legacy one, which
/// is ordered with others. A replay creates no stream: with streams of its own, the application's
/// graphs ran up to 17% slower for the rest of the process.
CUstream stream_of(const TakenIteration& taken);

/// An executable graph of a replay.
struct ReplayedGraph {
  CUgraph graph = nullptr;  ///< to be instantiated; null: the application's own is launched
  std::shared_ptr<const TakenGraph> taken;  ///< the one that `graph` was cloned from
  /// The sources of the latest content's copies, while calls are read.
  std::vector<std::vector<std::byte>> sources;
  bool launched = false, set_whole = false;  ///< by the calls read so far
};

/// The kind of host memory that a replay's copies use.
enum class HostKind {
  as_recorded,
  pinned,  ///< even if the application's is pageable
};

/// The host memory that a replay's copies use in place of the application's.
class ReplayedHost {
 public:
  ReplayedHost(HostKind kind, const std::set<std::uint64_t>& joints)
      : kind_(kind), joints_(joints) {}

  /// Returns memory with the bytes that the copy took from `address`, row after row. Throws
  /// NotPossible if they could not be taken.
  CUdeviceptr source(const RecordedMemory& memory, const ReplayedCall& copy,
                     const std::vector<std::byte>& content, std::uint64_t address);
  /// Returns memory for the bytes that the copy writes to `address`; the same for the same bytes.
  CUdeviceptr destination(const RecordedMemory& memory, const ReplayedCall& copy,
                          std::uint64_t address);

  /// Returns the memory that copies to the host write, in the order of their first call. What a
  /// joined copy writes is in the parts of the copies that it joins.
  std::vector<MemoryFacts> outputs() const;
  /// Overwrites all of that memory.
  void poison();

 private:
  using Range = std::pair<std::uint64_t, std::uint64_t>;  // address and bytes

  bool is_pinned(const RecordedMemory& memory) const {
    return kind_ == HostKind::pinned || memory.kind == MemoryKind::pinned;
  }

  HostKind kind_;
  const std::set<std::uint64_t>& joints_;
  std::vector<OwnHostMemory> sources_, destinations_;
  std::map<Range, std::size_t> destination_of_;
};

class ReplayedIteration {
 public:
  /// Throws NotPossible, naming the call, if it cannot be repeated. `taken` must outlive it.
  ReplayedIteration(const TakenIteration& taken, HostKind host);

  const std::vector<ReplayedCall>& calls() const { return calls_; }
  /// Returns the bytes of each allocation of the iteration, by number.
  const std::vector<std::uint64_t>& allocations() const { return allocations_.bytes(); }
  /// Returns the memory that each pass hands to the next one. The first allocations are inherited.
  const std::vector<HandedMemory>& handed() const { return handed_; }
  /// Returns the content of the executable graphs that it launches, by number.
  const std::vector<ReplayedGraph>& executables() const { return executables_; }
  /// Returns the number of events; their numbers are below it.
  std::uint32_t events() const { return events_; }

  /// Returns the host memory that the copies use.
  ReplayedHost& host() { return host_; }
  const ReplayedHost& host() const { return host_; }

 private:
  /// The bytes that a copy reads on the host: see CapturedCall::sources.
  using Source = std::vector<std::byte>;

  /// Throws NotPossible that names the call.
  [[noreturn]] void refuse(std::size_t i, const std::string& why) const;
  ReplayedCall replayed(std::size_t i);
  void hand_over();
  void place(std::size_t i, ReplayedCall& call);
  void place_operation(const RecordedCall& recorded, const ObservedCall& observed,
                       const Source& source, ReplayedCall& call);
  void place_kernel(const ObservedLaunch& launch, ReplayedCall& call) const;
  void place_copy(const RecordedCall& recorded, const ObservedCall& observed, const Source& source,
                  ReplayedCall& call);
  void place_batch(std::size_t i, ReplayedCall& call);
  void place_launch(std::size_t i, ReplayedCall& call);
  void place_change(std::size_t i, ReplayedCall& call);
  void place_node(std::size_t i, ReplayedCall& call);
  const RecordedMemory& memory_of(const RecordedCall& copy, Use use) const;
  const Source& source_of(std::size_t call, std::size_t copy) const;
  std::size_t launch_at(std::size_t i) const;
  RecordedCall recorded_node(std::size_t launch, std::size_t node) const;
  std::uint32_t executable_of(std::size_t i);
  CUgraph own_graph(std::size_t i);

  const TakenIteration& taken_;
  ReplayedHost host_;
  ReplayedAllocations allocations_;
  std::vector<ReplayedCall> calls_;
  std::vector<HandedMemory> handed_;
  std::uint32_t events_ = 0;
  std::vector<ReplayedGraph> executables_;
  std::map<std::uint64_t, std::uint32_t> executable_of_;  // number, by the application's handle
  std::map<const TakenGraph*, OwnGraph> own_graphs_;
};

}  // namespace trilane
