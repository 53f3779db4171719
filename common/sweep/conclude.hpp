// The result of a cell.
#pragma once

#include "common/sweep/map/regime_map.hpp"

namespace trilane {

/// Writes the result of the comparison into the cell: winners, ties, gains, and variants left out
/// and why.
void conclude(const Comparison& comparison, Cell& cell);

}  // namespace trilane
