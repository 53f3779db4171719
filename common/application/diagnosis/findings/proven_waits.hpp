// Finds waits that certainly wait for nothing.
#pragma once

#include <vector>

#include "common/application/iteration/records/application_recording.hpp"

namespace trilane {

/// Returns for each call true if it is a wait, of a stream or the host, only for work that is
/// certain to be done.
/// - All work from before the recorded iteration counts as unfinished, and each event as recorded
///   at an unknown point.
/// - Only waits that the program asks for prove that work is done. Advice may remove other calls
///   that wait, and the legacy stream's rule too; the driver promises little about them.
/// - Returns false for all calls if there are several threads or contexts, if no iteration was
///   found, or if a later iteration had other calls.
std::vector<bool> waits_for_nothing(const ApplicationRecording& recording);

}  // namespace trilane
