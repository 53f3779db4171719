// Tells what prevents a replay or a capture of an iteration.
#pragma once

#include "common/application/iteration/application_recording.hpp"
#include "common/application/iteration/diagnosis.hpp"

namespace trilane {

/// Returns the obstacles in the order of CaptureReason, one for each reason, except for failed
/// calls. It is empty if nothing is known to break a capture of each segment between two host
/// waits. Without an iteration, only captures that the application tried count.
std::vector<CaptureObstacle> capture_obstacles(const ApplicationRecording& recording);

/// Returns true if kernels keep their priorities only in graphs instantiated to use those of nodes.
/// That is the case if they differ from each other, or from the priority of the stream that the
/// graph is launched into, which is the first operation's.
bool needs_node_priorities(const ApplicationRecording& recording);

/// Returns why no replay of the recording is possible, naming the call; empty if one may be.
std::string why_no_replay(const ApplicationRecording& recording);

}  // namespace trilane
