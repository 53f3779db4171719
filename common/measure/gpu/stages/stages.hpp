// The stages as operations, bound to their host and device operands.
#pragma once

#include "common/measure/gpu/stages/operation.hpp"
#include "common/measure/gpu/stages/scratch.hpp"
#include "common/model/workload/steps/steps.hpp"

namespace trilane {

/// Copies one of the chunk's inputs from the host.
Operation copy_in(const Step& step, const Scratch& scratch);
/// Sets one of the chunk's buffers to a value: Trilane's kernels accumulate into their result.
Operation clear(const Step& step, const Scratch& scratch);
/// Runs the step's kernel.
Operation transform(const Step& step, const Scratch& scratch);
/// Copies one of the chunk's results to the host.
Operation copy_out(const Step& step, const Scratch& scratch);

/// The one of these four that the step is.
Operation operation_of(const Step& step, const Scratch& scratch);

}  // namespace trilane
