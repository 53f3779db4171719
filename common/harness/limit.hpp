// The limit: what no execution model can beat on this machine, buffers and workload.
#pragma once

#include <cstdint>

#include "common/results/results.hpp"

namespace trilane {

/// Fills bound_us and serial_us from the measured times of one chunk. Each of the three resources
/// (copies in, SMs, copies out) needs a time T for n chunks, and the first chunk's stages before
/// it and the last chunk's stages after it cannot overlap with it:
///
///   T(n)   = min(alone + (n-1) * steady, max(alone, n * steady))
///   bound  = max over the resources of (T(n) + the other two resources' time for one chunk)
///   serial = n * (copy_in + clear + kernels + copy_out)
///
/// `alone` is one chunk by itself, `steady` one more chunk while all lanes keep the resource busy
/// (copies: with both directions in use). The first form of T is the pipeline's: the first chunk
/// is copied in while nothing is copied out yet. The second holds where chunks run side by side
/// and alone they could not fill the resource, as short kernels on some of the SMs do.
void derive_bounds(Limit& limit, std::uint32_t chunks);

}  // namespace trilane
