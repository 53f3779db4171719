// The order in which a map's cells are visited. Its regimes, in each of which one variant wins, and
// over one knob the best value of each variant and how flat the optimum is. The page of a sweep.
#pragma once

#include "common/base/text/page.hpp"
#include "common/measure/sweep/map/regime_map.hpp"

namespace trilane {

/// Cuts the map into bands of rows, of columns, or by the size of the whole pass, and each band
/// into regimes. In every measured cell of a regime its variant wins or ties, except in at most an
/// eighth of the cells. The cut has the smallest cost: 1 for a regime, 0.5 for a band, 3 for an
/// exception (1.5 by size), 0.4 for a cell in which a smaller change of the program is as good. Of
/// equal variants takes the reference or the first, the plainest. Fills map.borders.
void find_borders(RegimeMap& map);

/// Returns "chunks up to 8: chunk size up to 64 KiB, graph (1.31 to 2.20 times as fast as streams);
/// from 128 KiB on, streams (graph ties)". Omits the range of a band that is the whole map.
std::string words_of(const RegimeMap& map, const Band& band);

/// Returns sentences on clear, tied, open and missing cells, and on what intervals cover.
std::vector<std::string> remarks(const RegimeMap& map);

/// Values that take at most this share longer count as good as the best. Differences between
/// processes, about 1%, would hide a smaller margin.
inline constexpr double flat_margin = 0.02;

/// The time that compares a variant's values, in microseconds (per byte), with its 95% interval.
struct CurvePoint {
  double mean = 0, low = 0, high = 0;
};

/// Returns the variant's point at that position; nothing if not timed. Merit::none: the wall time.
std::optional<CurvePoint> point_of(const RegimeMap& map, const std::string& variant,
                                   std::size_t position);

/// Derives all but the cells: borders and, for one knob, merit, curves and findings. Needs a cell.
void find_regimes(RegimeMap& map);

/// Returns the page of a sweep, which ends with the borders in words and remarks.
/// - Over two knobs: a map with one letter per cell and a legend by tier. A capital letter is a
///   clear winner, a small one the fastest of several that tie.
/// - Over one knob: times by value and variant, the best value of each variant and how flat it is,
///   and the fastest of each tier. Omits what does not fit.
Page sweep_page(const RegimeMap& map);

/// A visit to a cell: its position in the map and the most measuring time.
struct Visit {
  std::size_t position;
  double seconds;
};

/// Returns true if the cell's time ran out before its winner was clear.
bool is_open(const Cell& cell);

/// Returns the number of visits that the cell still lacks; 0 if it failed or cannot run.
std::uint32_t visits_left(const RegimeMap& map, const Cell& cell);

/// Returns the next visit; nothing if the map is finished. Visits cells in an order shuffled by the
/// map's seed, so that drift does not look like a border. All are visited once, then all that can
/// run again, until each was measured in as many processes as the map needs. Time that decided
/// cells leave goes to later visits of open ones. A map from a file continues.
std::optional<Visit> next_visit(const RegimeMap& map);

}  // namespace trilane
