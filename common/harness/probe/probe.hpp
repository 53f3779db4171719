// The probe: times of the stages by themselves, measured on the device without the host's share.
#pragma once

#include <cstdint>

#include "common/gpu/runtime/gated_timer.hpp"
#include "common/results/results.hpp"
#include "common/workload/steps.hpp"

namespace trilane {

/// Measures what derive_bounds needs, on the job's own buffers, and derives. Work is queued behind
/// a gate and timed between events, so that the host's submission is no part of it; each figure
/// is the fastest of several readings, as a limit should be. The host output is overwritten.
/// Throws CudaError and LaunchesBlock.
Limit probe_limit(const Job& job);

/// The limit from the faster figures of two probes: rates drift within a run.
Limit fastest(const Limit& one, const Limit& other, std::uint32_t chunks);

/// The rounds with which one kernel of the job's first chunk takes `kernel_us`, found by timing
/// it; 1 when even that takes longer. Throws CudaError and LaunchesBlock.
std::uint32_t rounds_for(const Job& job, double kernel_us);

}  // namespace trilane
