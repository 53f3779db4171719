// Where the data of a pipeline comes from and goes to.
#pragma once

#include "common/model/workload/pipeline/pipeline.hpp"

namespace trilane {

/// Throws a Misfit with its place in the file if a buffer is unused, copied twice, read before it
/// is written, or filled or checked in vain, if nothing is copied out, or if a fused kernel does
/// not write all outputs.
void require_data(const Pipeline& pipeline);

}  // namespace trilane
