// Notes what the application's executable graphs and memory pools take.
#pragma once

#include "common/application/finding/call_describer.hpp"
#include "common/application/recorder/driver/listened_call.hpp"

namespace trilane {

/// Counts what executable graphs take and cost, by the places where they are instantiated. Guarded
/// by the listener's lock, except for the marked functions.
class GraphCosts {
 public:
  /// Must be called before each call with a GraphCall. Device memory is measured around
  /// instantiations, uploads and first launches, unless `captures`.
  void enters(const ListenedCall& what, const void* parameters, bool captures);
  /// Returns the device memory that the thread's call took. Needs no lock.
  static std::uint64_t taken();
  /// Returns true if the line of the call that has returned should be known. Needs no lock.
  bool wants_stack(const ListenedCall& what, CUresult code) {
    return what.graph == GraphCall::made && code == CUDA_SUCCESS && stacks_left_.fetch_sub(1) > 0;
  }
  /// Takes a call that has succeeded: graph, times and stack. `nodes`: of a whole graph. `era`:
  /// differs when other calls are listened to; 0: not each is.
  void note(GraphCall what, const ObservedCall& call, std::uint64_t bytes, std::uint64_t nodes,
            std::uint32_t era);
  void add_to(RecordedResources& recorded, StackNumbers& stacks) const;

 private:
  struct Site {
    const ObservedStack* stack = nullptr;
    std::uint64_t latest = 0;  ///< the executable graph made last
    RecordedExecutables costs{};
  };
  struct Executable {
    Site* site = nullptr;
    std::uint32_t era = 0;
    std::uint64_t launches = 0;
  };
  void made(const ObservedCall& call, std::uint64_t nodes, std::uint32_t era);
  void released(std::uint64_t executable, std::uint32_t era);

  std::deque<Site> sites_;  ///< never moved
  std::unordered_map<std::uint64_t, Executable> live_;
  std::uint64_t unlaunched_ = 0;
  std::atomic<int> stacks_left_{1000};
};

/// Follows stream-ordered allocations and frees, to tell why a pool takes memory of the device.
/// Guarded by the listener's lock, except for hears().
class PoolWatch {
 public:
  /// Returns true if such a call matters. Needs no lock.
  bool hears(CallKind kind, std::uint64_t stream) const;
  /// Must be called for an allocation that has returned, before took(): asks the driver. Returns
  /// true if the pool has grown and the stack is wanted.
  bool grows(const ObservedCall& allocation);
  void took(const ObservedCall& call);
  /// Says that calls go unheard: causes are not known any more. After a replay nor are the pools.
  void missed(bool replays = false);

  void add_to(RecordedResources& all, StackNumbers& numbers) const;

 private:
  using Clock = std::map<std::uint64_t, std::uint64_t>;  ///< by stream: the latest free before
  struct FreeBlock {
    std::uint64_t bytes = 0, stream = 0, number = 0;
    bool blocking = false;  ///< the legacy stream and the block's wait for each other
  };
  using FreeBlocks = std::map<std::uint64_t, FreeBlock>;  ///< by address
  struct Pool {
    std::uint64_t handle = 0;
    bool alive = true;
    std::uint64_t given_back = 0;  ///< bytes that were not taken again
    RecordedPool recorded{};
    FreeBlocks free{};
    std::map<std::pair<GrowthCause, const ObservedStack*>, PoolGrowth> growth{};
  };
  struct Part {
    Pool* pool = nullptr;
    std::uint64_t bytes = 0;
    GrowthCause cause = GrowthCause::unheard;
  };

  Pool* pool_of(const ObservedCall& allocation);
  GrowthCause cause_of(const Pool& pool, const ObservedCall& allocation);
  void freed(const ObservedCall& call, std::uint64_t stream);
  void waited(const ObservedCall& call, std::uint64_t stream);
  Clock behind(std::uint64_t stream);

  std::atomic<bool> follows_{false};
  bool missed_ = false, replays_ = false;
  std::uint64_t allocations_ = 0, frees_ = 0;
  int stacks_left_ = 200;
  /// The latest frees before all device work was done, before the legacy stream's latest call, and
  /// before that stream was done.
  std::uint64_t done_ = 0, legacy_ = 0, legacy_done_ = 0;
  std::map<std::uint64_t, Clock> streams_, events_;
  Clock host_;
  std::unordered_map<std::uint64_t, Part> live_, grown_;  ///< by address, by thread
  std::deque<Pool> pools_;
};

/// Guarded by the listener's lock, except for functions marked in its members.
class ResourceWatch {
 public:
  GraphCosts& graphs() { return graphs_; }
  PoolWatch& pools() { return pools_; }

  /// Returns what is known so far; absent if the application has neither graphs nor pools.
  std::optional<RecordedResources> recorded() const {
    RecordedResources all;
    StackNumbers numbers;
    graphs_.add_to(all, numbers);
    pools_.add_to(all, numbers);
    return all.executables.empty() && all.pools.empty() ? std::nullopt : std::optional(all);
  }

 private:
  GraphCosts graphs_;
  PoolWatch pools_;
};

}  // namespace trilane
