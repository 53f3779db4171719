// What would have to change in an application before its iteration can be captured.
#pragma once

#include <vector>

#include "common/application/iteration/records/application_recording.hpp"
#include "common/application/iteration/records/capture_obstacle.hpp"

namespace trilane {

/// Returns them in the order of CaptureReason, of one reason in that of the calls; empty if nothing
/// is known to break a capture of each stretch between two waits of the host. Without an iteration
/// only captures that the application tried count.
std::vector<CaptureObstacle> capture_obstacles(const ApplicationRecording& recording);

/// True if kernels keep their priorities only in graphs that are instantiated to keep those of
/// nodes: if they differ from each other, or from that of the stream that a graph is launched into,
/// the first operation's.
bool needs_node_priorities(const ApplicationRecording& recording);

}  // namespace trilane
