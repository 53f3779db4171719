// Checks that need the whole pipeline.
#pragma once

#include "common/model/workload/pipeline/pipeline.hpp"

namespace trilane {

/// Throws a Misfit with its place in the file if:
/// - a buffer is unused or read before it is written, or there is no output,
/// - `after` omits a stage that the data needs,
/// - a fused kernel does not do what the stages do,
/// - an expression exceeds its limits with the chunks' items,
/// - a pass is too large.
void require_sound(const Pipeline& pipeline);

}  // namespace trilane
