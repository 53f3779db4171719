// Tells what prevents a replay of an iteration, and what to change before it can be captured.
#pragma once

#include "common/application/iteration/application_recording.hpp"
#include "common/application/iteration/diagnosis.hpp"

namespace trilane {

/// The remedy for a call that failed because of a capture.
enum class CaptureRemedy : std::uint8_t {
  issue_into_it,    ///< in the captured stream
  own_stream,       ///< instead of the legacy stream
  move_out,         ///< before or after the capture
  allocate_before,  ///< and free after the last launch
  load_before,      ///< the code of kernels
  wait_after,       ///< behind a launch of the graph
  thread_mode,      ///< a mode in which other threads' calls are allowed
  capture_as_one,   ///< two captures
  end_at_begin,     ///< in the stream where it began
  end_in_thread,    ///< that began it
  join,             ///< the streams that were drawn in
  record_within,    ///< the event that is waited for
  check_results,    ///< the call is not known
};

/// Returns the remedy by the failed call's error, kind, stream and thread.
CaptureRemedy remedy_for(const CaptureObstacle& failed);

/// Returns the obstacles in the order of CaptureReason, one for each reason, except for failed
/// calls. It is empty if nothing
/// is known to break a capture of each segment between two host waits. Without an iteration, only
/// captures that the application tried count.
std::vector<CaptureObstacle> capture_obstacles(const ApplicationRecording& recording);

/// Returns true if kernels keep their priorities only in graphs instantiated to use those of nodes.
/// That is the case if they differ from each other, or from the priority of the stream that the
/// graph is launched into, which is the first operation's.
bool needs_node_priorities(const ApplicationRecording& recording);

/// Returns why no replay of the recording is possible, naming the call; empty if one may be.
std::string why_no_replay(const ApplicationRecording& recording);

}  // namespace trilane
