// The figures of a loop's contenders, the one with the highest throughput, and the best of those
// that leave the processors free; loops as a page for people.
#pragma once

#include "common/base/text/page.hpp"
#include "common/measure/loop/results/loop_results.hpp"

namespace trilane {

/// Times are microseconds. Medians are over the turns of all processes, quantiles over all items.
struct LoopFigures {
  double items_per_second = 0;          ///< by the mean time of an item
  double told_us = 0, told_p99_us = 0;  ///< from an item's end until the host knew
  /// From an item's end until the lane's next start; absent if every lane ran one item a turn.
  std::optional<double> restart_us, restart_p99_us;
  double idle = 0;            ///< the device's idle share, the median
  std::optional<double> cpu;  ///< busy processors of the process, the median
  double clock_error_us = 0;  ///< the largest of any turn
};

/// Returns the median over the turns of the processors kept busy; absent if a turn lacks it.
std::optional<double> cpu_of(const std::vector<LoopTurn>& turns);

/// Returns the figures of all turns together. Throws std::invalid_argument without any turn.
LoopFigures figures_of(const std::vector<LoopTurn>& turns);

/// Contenders that use fewer processors leave them to other work. One polling thread uses 1.
inline constexpr double cheap_cpu = 0.5;

/// Returns the items per second of `m` over those of `base`, as variant_ratio() of their turns,
/// with a 95% interval over processes, or over the turns of one. Both must have turns.
Ratio rate_ratio(const LoopMeasurement& m, const LoopMeasurement& base);

/// Returns true if a ratio of rates is a loss of at least 1%, and its interval confirms it.
bool is_loss(const Ratio& rate);

/// A contender as the best of several.
struct LoopPick {
  const LoopMeasurement* contender = nullptr;
  const LoopMeasurement* fastest = nullptr;    ///< of these
  std::vector<const LoopMeasurement*> tied;    ///< others without a difference to the fastest
  const LoopMeasurement* runner_up = nullptr;  ///< the fastest with a loss; null without any
};

/// Points into the comparison.
struct LoopVerdict {
  LoopPick best;
  std::optional<LoopPick> cheap{};  ///< the best of those below `cheap_cpu`
  bool decided = true;              ///< there were enough rounds for intervals
};

/// Returns the contenders that are ok and have turns, in the comparison's order.
std::vector<const LoopMeasurement*> measured_contenders(const LoopComparison& comparison);

/// Returns the winners; nothing if no contender was measured. Among those without a difference to
/// the fastest, the least processor time wins, to within a tenth of a processor. Among equals the
/// first wins: they are listed from plain to elaborate.
std::optional<LoopVerdict> verdict_of(const LoopComparison& comparison);

/// Returns "event_polled + graph".
std::string contender_name(const LoopMeasurement& m);

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
