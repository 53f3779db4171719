#include "common/application/recorder/listening/resource_watch.hpp"

namespace trilane {

std::optional<RecordedResources> ResourceWatch::recorded() const { return std::nullopt; }

}  // namespace trilane
