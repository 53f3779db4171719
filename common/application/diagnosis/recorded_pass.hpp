// Converts a recording to a traced pass, so that it is drawn like one.
#pragma once

#include "common/application/iteration/application_recording.hpp"
#include "common/explain/analysis/trace/traced_pass.hpp"

namespace trilane {

/// Returns one iteration's calls and, if the recording has device times, its operations. Lanes are
/// the streams. Copies within the device count as kernels, as in the variants.
VariantTrace trace_of(const ApplicationRecording& recording);

}  // namespace trilane
