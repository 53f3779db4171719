// The stages as operations, bound to their host and device operands.
#pragma once

#include "common/measure/gpu/stages/operation.hpp"
#include "common/measure/gpu/stages/scratch.hpp"
#include "common/model/workload/steps/steps.hpp"

namespace trilane {

/// Returns the copy of one of the chunk's inputs from the host.
Operation copy_in(const Step& step, const Scratch& scratch);
/// Returns the memset of one of the chunk's buffers; Trilane's kernels accumulate into their
/// result.
Operation clear(const Step& step, const Scratch& scratch);
/// Returns the step's kernel.
Operation transform(const Step& step, const Scratch& scratch);
/// Returns the copy of one of the chunk's results to the host.
Operation copy_out(const Step& step, const Scratch& scratch);

/// Returns the one of these four operations that the step needs.
Operation operation_of(const Step& step, const Scratch& scratch);

}  // namespace trilane
