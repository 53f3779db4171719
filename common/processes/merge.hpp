// The results of several processes as one.
#pragma once

#include <span>
#include <vector>

#include "common/results/results.hpp"

namespace trilane {

/// Results of the same workloads and variants, measured by one process each, as one: all samples
/// with the number of their process, set-up times as the median over processes, and of the limits
/// the lowest bound, for no process can be faster than what the buffers of the luckiest allow. What
/// failed in one process has failed. Summaries and ratios are those of all samples; verdict and
/// regime are left for the caller. Workloads that an interrupted process did not come to have fewer
/// processes. Throws std::invalid_argument without results, and when workloads differ.
Results merged(std::span<const Results> all);

/// From the start of the first process to the end of the last, with whatever any of them noted.
/// Throws std::invalid_argument without results.
Context merged_context(std::span<const Results> all);

/// All samples, with the number of their process, and the median of the set-up times. What failed
/// in one process has failed, and the first that failed gives the message. `by_process` has nothing
/// for processes without the variant, and something for at least one.
///
/// Prices are those of all set-ups. Of the passes after a set-up as many are kept as every process
/// had. A process whose set-ups had other phases is left out.
Measurement merged_variant(const std::vector<const Measurement*>& by_process);

}  // namespace trilane
