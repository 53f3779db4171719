// Merges what several processes measured of one variant.
#pragma once

#include <vector>

#include "common/results/results.hpp"

namespace trilane {

/// All samples with their process's number, and the median of the set-up times. If the variant
/// failed in one process it has failed, with the first failure's message. `by_process` has nullptr
/// for processes without the variant, and at least one measurement.
///
/// The price has all set-ups, and after each as many passes as every process had. Leaves out
/// processes whose set-ups had other phases.
Measurement merged_variant(const std::vector<const Measurement*>& by_process);

}  // namespace trilane
