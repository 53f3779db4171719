// Where the winner changes: the map cut into regimes, and these in words.
#pragma once

#include <string>
#include <vector>

#include "common/sweep/map/regime_map.hpp"

namespace trilane {

/// Cuts the map into bands of rows, of columns, or by the size of the whole pass, whichever gives
/// least to say, and each band across into regimes, so that the words are few and still true: in
/// every measured cell of a regime its variant wins or ties, but for the exceptions, which are
/// named. A regime counts 1, a band half, an exception 3 (by size 1.5), and the sum is the smallest
/// there is; at most every eighth cell of a regime is an exception. Of several variants that serve
/// a regime alike the first stands for it: their order goes from plain to elaborate. Fills
/// map.borders, with their words.
void find_borders(RegimeMap& map);

/// One line per band: "chunks up to 8: chunk size up to 64 KiB, graph (1.31 to 2.20 times as fast
/// as streams); from 128 KiB on, streams (graph ties)". Without the band where it is the whole map.
std::string words_of(const RegimeMap& map, const Band& band);

/// "chunk size up to 64 KiB", "chunk size 8 KiB to 64 KiB", "chunk size from 64 KiB on", "chunk
/// size 64 KiB" in the middle of the axis, "any chunk size" or "any number of chunks"; without the
/// knob where it was `named` before.
std::string range_text(const Axis& axis, const Span& span, bool named);

/// What the borders do not tell: how many cells are clear, tied or open, and why cells are missing.
std::vector<std::string> remarks(const RegimeMap& map);

}  // namespace trilane
