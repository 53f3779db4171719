// What passes on the host between the calls of an iteration.
#pragma once

#include <vector>

#include "common/application/iteration/records/application_recording.hpp"

namespace trilane {

/// The application's own time before each call, in microseconds: as RecordedCall::own_us says or,
/// without that, from the end of the call before or the start of the iteration. It is shortened as
/// far as iterations of which only the ends were watched are shorter than the sum of what was
/// timed.
std::vector<double> own_gaps(const ApplicationRecording& recording);

/// The same with RecordedCall::runtime_us: all that passes before each call to the driver. Where
/// other calls take the place of these, or calls of the runtime are made, own_gaps() is what stays.
std::vector<double> host_gaps(const ApplicationRecording& recording);

}  // namespace trilane
