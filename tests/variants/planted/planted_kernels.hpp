// Kernels with deliberate mistakes.
#pragma once

#include <cstdint>

namespace trilane {

/// (uint32_t* out, uint64_t count): writes out[count], beyond its end.
const void* write_beyond_kernel();
/// (const uint32_t* in, uint32_t* out): out[0] = in[0], whatever is there.
const void* copy_word_kernel();
/// (uint32_t* out): reads a neighbour's shared word without a barrier.
const void* race_kernel();
/// (uint32_t* out): a barrier that half of the threads skip.
const void* divergent_barrier_kernel();

}  // namespace trilane
