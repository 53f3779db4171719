// Makes one copy of copies that follow each other and go on where the one before ends.
#pragma once

#include "common/application/replay/replayed_iteration.hpp"

namespace trilane {

/// Returns for each call the first of the copies that it is joined with; itself: it stays. Copies
/// to the host stay if another one writes the same bytes.
std::vector<std::size_t> joined_with(const ApplicationRecording& recording);

/// Returns the recording with each such group as one copy. The host's own time before its calls is
/// before that copy, as the host must have written all of it then.
ApplicationRecording with_joined_copies(const ApplicationRecording& recording);

/// Returns the iteration in this form. The given one must outlive it, and inherit no memory.
TakenIteration with_joined_copies(const TakenIteration& taken);

}  // namespace trilane
