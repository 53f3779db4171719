#include "common/application/recorder/listening/resource_watch.hpp"

namespace trilane {

std::optional<RecordedResources> ResourceWatch::recorded() const {
  RecordedResources all;
  StackNumbers stacks;
  graphs_.add_to(all, stacks);
  return all.executables.empty() ? std::nullopt : std::optional(all);
}

}  // namespace trilane
