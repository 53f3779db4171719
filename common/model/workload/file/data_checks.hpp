// Checks of a pipeline's data flow.
#pragma once

#include "common/model/workload/pipeline/pipeline.hpp"

namespace trilane {

/// Throws a Misfit with its place in the file if:
/// - a buffer is unused, copied twice, or read before it is written,
/// - a buffer is filled or checked in vain,
/// - nothing is copied out,
/// - a fused kernel does not write all outputs.
void require_data(const Pipeline& pipeline);

}  // namespace trilane
