// Loops as a page for people.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "common/base/text/page.hpp"
#include "common/measure/loop/results/loop_results.hpp"
#include "common/measure/loop/results/loop_verdict.hpp"

namespace trilane {

/// Returns "event_polled + graph".
std::string contender_name(const LoopMeasurement& m);

/// Returns "0.87 [0.85, 0.88]", "same", or "unclear" after too few rounds: a contender's items per
/// second over those of the fastest.
std::string share_cell(const LoopMeasurement& m, const LoopMeasurement& fastest);

/// Returns what the intervals of a comparison cover, like "Intervals are for another run of 5
/// processes."; empty without any.
std::string covers_words(const LoopComparison& comparison, const LoopMeasurement& fastest);

/// Returns sentences that say what to use, by how much it is better, and what to use if other work
/// needs the processors. Without measurements, they say so.
std::string verdict_words(const LoopComparison& comparison);

/// Returns "1,234,567 items checked, none lost, none wrong." for all comparisons. After a failure,
/// returns how many were right in the turns before. The warm-up counts.
std::string checked_words(std::span<const LoopComparison* const> comparisons);

/// Comparisons of one loop that differ only in kernel time and analysis time.
using LoopFamily = std::vector<const LoopComparison*>;

/// Returns the comparisons by loop, in the order in which the loops first appear. Members of a
/// family agree in everything except kernel time, the rounds found for it, and analysis time.
std::vector<LoopFamily> families_of(const std::vector<LoopComparison>& comparisons);

/// Returns a row for each kernel time and a column for each analysis time, with the winner in each
/// cell. A second table has the winner among those that leave the processors free, where known.
Page map_of(const LoopFamily& family);

/// The detail of the page on a loop with several kernel or analysis times.
enum class LoopDetail {
  map,     ///< the map, and what failed
  tables,  ///< also the tables of each combination
};

/// Returns each loop with its verdict, then a table of the notifications, the number of items
/// checked, and the contenders not run or failed, with the reason.
Page loops_page(const LoopResults& results, LoopDetail detail = LoopDetail::map);

}  // namespace trilane
