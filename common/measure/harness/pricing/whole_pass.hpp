// Times of a whole pass: its copies in one piece, and the arithmetic of its kernels.
#pragma once

#include "common/model/results/limit.hpp"
#include "common/model/workload/steps/steps.hpp"

namespace trilane {

/// Times the whole pass. `kernels_us` is the time of a chunk's kernels in a graph while all lanes
/// are busy. Otherwise like probe_limit().
WholePass probe_whole(const Job& job, double kernels_us);

}  // namespace trilane
