// The same pass in other chunks: what the best number of them is.
#pragma once

#include <optional>

#include "common/results/limit.hpp"
#include "common/workload/steps.hpp"

namespace trilane {

/// The workload in chunks of another size, to measure beside it on the same buffers: eight times as
/// large where chunks are small and enough of them remain for every lane, otherwise an eighth, and
/// then as many of them as before. Nothing where chunks cannot get smaller.
std::optional<Workload> recut(const Workload& workload);

/// Probes the job once more in other chunks, and fills copies_in, copies_out and best of `limit`,
/// which is the job's own. Throws CudaError and LaunchesBlock.
void probe_best_cut(Limit& limit, const Job& job);

}  // namespace trilane
