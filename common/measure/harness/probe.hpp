// The probe: times single stages on the device, in chunks of two sizes.
#pragma once

#include "common/measure/gpu/runtime/gated_timer.hpp"
#include "common/model/results/limit.hpp"
#include "common/model/workload/steps.hpp"

namespace trilane {

/// Measures the inputs of derive_bounds() on the job's own buffers, and calls it. Every time is the
/// fastest of several readings, because it serves as a limit. Overwrites the host output. Throws
/// CudaError and LaunchesBlock.
Limit probe_limit(const Job& job);

/// Returns the limit from the better values of two probes, because rates drift within a run.
Limit fastest(const Limit& one, const Limit& other, const Workload& workload);

/// Returns the rounds for which a kernel on the job's first chunk takes `kernel_us`; 1 if even one
/// round takes longer. Throws CudaError and LaunchesBlock.
std::uint32_t rounds_for(const Job& job, double kernel_us);

/// Returns the workload in chunks of another size, to be measured on the same buffers. They are 8
/// times as large if chunks are small and enough remain for every lane; otherwise an eighth as
/// large, and no more chunks than before. Nothing if chunks cannot get smaller, have gaps, or are a
/// pipeline file's.
std::optional<Workload> recut(const Workload& workload);

/// Probes the job again in chunks of another size and fills copies_in, copies_out, other and best
/// of the job's `limit`. Throws CudaError and LaunchesBlock.
void probe_best_cut(Limit& limit, const Job& job);

}  // namespace trilane
