// What only the whole pipeline shows.
#pragma once

#include "common/model/workload/pipeline/pipeline.hpp"

namespace trilane {

/// Throws a Misfit with its place in the file if a buffer is unused or read before it is written,
/// if there is no output, if `after` leaves out a stage that the data needs, if a fused kernel does
/// not do what the stages do, if an expression leaves its limits with the chunks' items, or if a
/// pass is too large.
void require_sound(const Pipeline& pipeline);

}  // namespace trilane
