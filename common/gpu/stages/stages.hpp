// The four stages as operations, bound to their host and device operands.
#pragma once

#include <cstddef>

#include "common/gpu/stages/operation.hpp"
#include "common/workload/steps.hpp"

namespace trilane {

/// The device operands of one chunk: its input and its result, which is aligned to 256 bytes. A
/// view: the folder scratch/ has the owners.
struct Scratch {
  std::byte* in = nullptr;
  std::byte* out = nullptr;
};

/// Copies the chunk's input from the host.
Operation copy_in(const Step& step, const Scratch& scratch);
/// Sets the chunk's result to zero, because the kernels accumulate into it.
Operation clear(const Step& step, const Scratch& scratch);
/// Runs the step's kernel, which adds to the chunk's result.
Operation transform(const Step& step, const Scratch& scratch);
/// Copies the chunk's result to the host.
Operation copy_out(const Step& step, const Scratch& scratch);

}  // namespace trilane
