// The probe: times of the stages by themselves, measured on the device without the host's share.
#pragma once

#include <cstdint>

#include "common/results.hpp"
#include "common/steps.hpp"

namespace trilane {

/// Measures what derive_bounds needs, on the job's own buffers, and derives. Work is queued behind
/// a gate and timed between events, so that the host's submission is no part of it; each figure
/// is the median of several readings. The host output is overwritten. Throws CudaError.
Limit probe_limit(const Job& job);

/// The rounds with which one kernel of the job's first chunk takes `kernel_us`, found by timing
/// it; 1 when even that takes longer. Throws CudaError.
std::uint32_t rounds_for(const Job& job, double kernel_us);

}  // namespace trilane
