// The result of a cell.
#pragma once

#include "common/measure/sweep/map/regime_map.hpp"

namespace trilane {

/// Writes the result of the comparison into the cell: winners, ties, gains, and variants left out
/// and why.
void conclude(const Comparison& comparison, Cell& cell);

/// Adds what another visit measured in fresh processes, and concludes from the means of all visits;
/// from the rounds after the first. A variant that an earlier visit left out stays left out.
void add_visit(Comparison visit, Cell& cell);

}  // namespace trilane
