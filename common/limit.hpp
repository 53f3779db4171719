// The limit: what no execution model can beat on this machine, buffers and workload.
#pragma once

#include <cstdint>

#include "common/results.hpp"

namespace trilane {

/// Fills bound_us and serial_us from the measured times of one chunk. A pass of n chunks through
/// the copy engines has to copy its first chunk in, clear and transform it, and copy its last
/// chunk out, and in between the busiest of the three resources has n-1 more chunks to do:
///
///   bound = copy_in + clear + kernels + copy_out
///           + (n-1) * max(steady_in, steady_work, steady_out)
///   serial = n * (copy_in + clear + kernels + copy_out)
///
/// with times of one chunk alone, and steady times per chunk of a resource that all lanes keep
/// busy: copies while both directions are in use, clear and kernels while they share the SMs.
void derive_bounds(Limit& limit, std::uint32_t chunks);

/// Says whether the preset's regime holds with these figures, in `comparison.regime` and
/// `regime_held`; needs the limit, and for the launch preset the reference's times.
void judge_regime(Comparison& comparison);

}  // namespace trilane
