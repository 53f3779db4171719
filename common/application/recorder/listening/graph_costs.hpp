// Counts what executable graphs take and cost, by the places where they are instantiated.
#pragma once

#include <deque>

#include "common/application/finding/call_describer.hpp"
#include "common/application/recorder/driver/listened_call.hpp"

namespace trilane {

/// Guarded by the listener's lock, except for the marked functions.
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

}  // namespace trilane
