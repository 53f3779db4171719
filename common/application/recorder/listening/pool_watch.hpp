// Follows stream-ordered allocations and frees, to tell why a pool takes memory of the device.
#pragma once

#include "common/application/finding/call_describer.hpp"

namespace trilane {

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

}  // namespace trilane
