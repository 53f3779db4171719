// Says what prevents the capture of an iteration, and what to write instead.
#pragma once

#include <string>
#include <vector>

#include "common/application/iteration/records/capture_obstacle.hpp"

namespace trilane {

/// Returns sentences for each obstacle: the call to change, the reason, and the remedy.
std::vector<std::string> capture_words(const std::vector<CaptureObstacle>& obstacles);

}  // namespace trilane
