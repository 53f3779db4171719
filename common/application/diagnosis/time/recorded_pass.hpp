// A recording as a traced pass, so that it is drawn like one.
#pragma once

#include "common/application/iteration/records/application_recording.hpp"
#include "common/explain/analysis/trace/traced_pass.hpp"

namespace trilane {

/// One iteration's calls and, where the recording has device times, its operations; their lanes
/// are the streams. Copies within the device count as kernels, like those of the variants.
VariantTrace trace_of(const ApplicationRecording& recording);

}  // namespace trilane
