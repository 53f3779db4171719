// Describes the regimes of a map.
#pragma once

#include <string>
#include <vector>

#include "common/sweep/map/regime_map.hpp"

namespace trilane {

/// "chunks up to 8: chunk size up to 64 KiB, graph (1.31 to 2.20 times as fast as streams); from
/// 128 KiB on, streams (graph ties)". Leaves out the range of a band that is the whole map.
std::string words_of(const RegimeMap& map, const Band& band);

/// "chunk size up to 64 KiB", "chunk size 8 KiB to 64 KiB", "chunk size from 64 KiB on", "chunk
/// size 64 KiB", "any chunk size" or "any number of chunks". A knob that was `named` before is left
/// out.
std::string range_text(const Axis& axis, const Span& span, bool named);

/// How many cells are clear, tied or open, and why cells are missing.
std::vector<std::string> remarks(const RegimeMap& map);

}  // namespace trilane
