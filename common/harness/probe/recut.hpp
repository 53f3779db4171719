// Finds the best number of chunks by measuring the same pass in chunks of another size.
#pragma once

#include <optional>

#include "common/results/limit.hpp"
#include "common/workload/steps.hpp"

namespace trilane {

/// The workload in chunks of another size, for the same buffers: 8 times as large if chunks are
/// small and enough remain for every lane; otherwise an eighth as large, and no more chunks than
/// before. Absent if chunks cannot get smaller.
std::optional<Workload> recut(const Workload& workload);

/// Probes the job again in chunks of another size and fills copies_in, copies_out and best of the
/// job's `limit`. Throws CudaError and LaunchesBlock.
void probe_best_cut(Limit& limit, const Job& job);

}  // namespace trilane
