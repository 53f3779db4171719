// The result of a cell.
#pragma once

#include "common/measure/sweep/map/regime_map.hpp"

namespace trilane {

/// Writes the result of the comparison into the cell: winners, ties, gains, and variants left out
/// with the reason.
void conclude(const Comparison& comparison, Cell& cell);

/// Adds the measurements of another visit in fresh processes. Concludes from the rounds after the
/// first visit, and from the means of all visits after later ones. A variant that an earlier visit
/// left out stays left out.
void add_visit(Comparison visit, Cell& cell);

}  // namespace trilane
