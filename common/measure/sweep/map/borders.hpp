// Cuts a map into regimes, in each of which one variant wins, and describes them.
#pragma once

#include <string>
#include <vector>

#include "common/measure/sweep/map/regime_map.hpp"

namespace trilane {

/// Cuts the map into bands of rows, of columns, or by the size of the whole pass, and each band
/// into regimes. In every measured cell of a regime its variant wins or ties, except in at most an
/// eighth of the cells. The cut has the smallest cost:
/// - 1 for a regime, 0.5 for a band,
/// - 3 for an exception (1.5 by size),
/// - 0.4 for a cell in which a variant of a tier that changes less of the program is as good.
/// If several variants serve a regime equally well, it gets the reference or the first; their order
/// goes from plain to elaborate. Fills map.borders, with their words.
void find_borders(RegimeMap& map);

/// Returns "chunks up to 8: chunk size up to 64 KiB, graph (1.31 to 2.20 times as fast as streams);
/// from 128 KiB on, streams (graph ties)". Omits the range of a band that is the whole map.
std::string words_of(const RegimeMap& map, const Band& band);

/// Returns sentences on how many cells are clear, tied or open, what intervals cover, and why cells
/// are missing.
std::vector<std::string> remarks(const RegimeMap& map);

}  // namespace trilane
