#include "common/application/recorder/listening/resource_watch.hpp"

namespace trilane {

std::optional<RecordedResources> ResourceWatch::recorded() const {
  RecordedResources all;
  StackNumbers numbers;
  graphs_.add_to(all, numbers);
  if (pools_.any()) pools_.add_to(all, numbers);
  return all.executables.empty() && all.pools.empty() ? std::nullopt : std::optional(all);
}

}  // namespace trilane
