// Work on host data by all cores.
#pragma once

#include <cstddef>
#include <functional>

namespace trilane {

/// Half-open: from `first` to before `last`.
using RangeWork = std::function<void(std::size_t first, std::size_t last)>;

/// Splits `items` into ranges of about the same length, one for each core but none shorter than
/// `least`, and calls `work` once for each, all at the same time; a single range in the caller's
/// thread. What the work yields must not depend on where the ranges end. Throws the first exception
/// of a range after all have ended, and std::system_error if no thread can be started.
void in_parallel(std::size_t items, std::size_t least, const RangeWork& work);

}  // namespace trilane
