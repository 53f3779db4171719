// What several processes measured of one variant, as one.
#pragma once

#include <vector>

#include "common/results/results.hpp"

namespace trilane {

/// All samples, with the number of their process, and the median of the set-up times. What failed
/// in one process has failed, and the first that failed gives the message. `by_process` has nothing
/// for processes without the variant, and something for at least one.
///
/// Prices are those of all set-ups. Of the passes after a set-up as many are kept as every process
/// had. A process whose set-ups had other phases is left out.
Measurement merged_variant(const std::vector<const Measurement*>& by_process);

}  // namespace trilane
