// Notes what the application's executable graphs and memory pools take.
#pragma once

#include "common/application/iteration/recorded_resources.hpp"

namespace trilane {

/// Guarded by the listener's lock.
class ResourceWatch {
 public:
  /// Returns what is known so far; absent if the application has neither graphs nor pools.
  std::optional<RecordedResources> recorded() const;
};

}  // namespace trilane
