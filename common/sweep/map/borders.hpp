// Cuts a map into regimes, where one variant wins.
#pragma once

#include "common/sweep/map/regime_map.hpp"

namespace trilane {

/// Cuts the map into bands of rows, of columns, or by the size of the whole pass, and each band
/// into regimes. In every measured cell of a regime its variant wins or ties, except for the
/// exceptions, which are at most an eighth of the cells. The cut has the smallest cost: 1 for a
/// regime, 0.5 for a band, 3 for an exception (1.5 by size). If several variants serve a regime
/// equally well, it gets the first; their order goes from plain to elaborate. Fills map.borders,
/// with their words.
void find_borders(RegimeMap& map);

}  // namespace trilane
