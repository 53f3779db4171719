// The four stages as operations: one description of each, bound to host and device operands.
#pragma once

#include <cstddef>

#include "common/gpu/stages/operation.hpp"
#include "common/workload/steps.hpp"

namespace trilane {

/// The device operands of one chunk: its input, and its result at a 256-byte boundary. A view;
/// lane_scratch.hpp and chunk_scratch.hpp own the memory.
struct Scratch {
  std::byte* in = nullptr;
  std::byte* out = nullptr;
};

/// The chunk's input from the host into its scratch.
Operation copy_in(const Step& step, const Scratch& scratch);
/// The chunk's result set to zero, because the kernels accumulate into it.
Operation clear(const Step& step, const Scratch& scratch);
/// The step's kernel, from the chunk's input into its result.
Operation transform(const Step& step, const Scratch& scratch);
/// The chunk's result from its scratch to the host.
Operation copy_out(const Step& step, const Scratch& scratch);

}  // namespace trilane
