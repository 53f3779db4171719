// Call stacks of a recording by function, file and line.
#pragma once

#include "common/application/iteration/application_recording.hpp"

namespace trilane {

/// Completes the recording's call stacks from the files of the application's modules: functions,
/// files and lines, with a frame for each inlined function, and which of them are the user's own.
/// Removes the folders of all paths unless `with_paths`.
void resolve_source(ApplicationRecording& recording, bool with_paths);

}  // namespace trilane
