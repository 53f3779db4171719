// Work on host data by all cores.
#pragma once

#include <cstddef>
#include <functional>

namespace trilane {

/// Half-open: from `first` to before `last`.
using RangeWork = std::function<void(std::size_t first, std::size_t last)>;

/// Splits `items` into ranges of `least`, which is worth a thread but takes less than 100 ms, and
/// calls `work` once for each, on all cores or on as many threads as can be started. What the work
/// yields must not depend on where the ranges end. Throws the first exception of a range after all
/// have ended, and Interrupted after a signal.
void in_parallel(std::size_t items, std::size_t least, const RangeWork& work);

}  // namespace trilane
