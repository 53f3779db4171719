// Notes what the application's executable graphs and memory pools take.
#pragma once

#include "common/application/recorder/listening/graph_costs.hpp"
#include "common/application/recorder/listening/pool_watch.hpp"

namespace trilane {

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
