// Work on host data by all cores.
#pragma once

#include "common/std.hpp"

namespace trilane {

/// Half-open: from `first` to before `last`.
using RangeWork = std::function<void(std::size_t first, std::size_t last)>;

/// Splits `items` into ranges of `least`, which should be worth a thread but take less than 100 ms.
/// Calls `work` once for each, on all cores or on as many threads as can be started. The result
/// must not depend on the borders of the ranges. Throws the first exception of a range after all
/// have ended, and Interrupted after a signal.
void in_parallel(std::size_t items, std::size_t least, const RangeWork& work);

}  // namespace trilane
