// Decides a cell: when its measuring ends, and what its result is; also the result of a sweep. An
// error in a cell ends only that cell. Ranks a cell's variants by their times.
#pragma once

#include "common/base/text/exit_code.hpp"
#include "common/measure/sweep/map/regime_map.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

/// The purpose of measuring a cell.
enum class Aim {
  winner,  ///< the fastest variant, of each tier and of all
  curve,   ///< also the time of every variant
};

/// The stopping rule of a cell, called after every round.
class Race {
 public:
  explicit Race(Aim aim) : aim_(aim) {}

  /// Marks variants as `dropped` by their ratio to the leader of their tier:
  /// - after 3 rounds, those 1.5 times slower in every round, except the reference, which needs an
  ///   interval,
  /// - from 6 rounds on, those that are slower by `tie_margin` and has_lost(),
  /// - for a curve, only those whose own time is known to 1%.
  ///
  /// Returns "decided" if all of these hold, otherwise nothing:
  /// - all variants are dropped or within 2% of the leader of their tier,
  /// - the leaders are that close to the fastest, or have clearly lost to it,
  /// - for a curve, all times are known to 1%.
  std::string operator()(const Comparison& comparison, std::vector<bool>& dropped);

 private:
  bool settle(const Comparison& tier, std::vector<bool>& dropped) const;

  Aim aim_;
  std::uint32_t next_look_ = 3;
};

/// Writes the comparison's result into the cell: winners, ties, gains, and why others are missing.
void conclude(const Comparison& comparison, Cell& cell);

/// Adds the measurements of another visit in fresh processes. Concludes from the rounds after the
/// first visit, and from the means of all visits after later ones. Variants left out stay out.
void add_visit(Comparison visit, Cell& cell);

/// Runs `action` and returns true if it succeeded. An exception becomes the cell's status and
/// reason: not_supported if the cell cannot run here, out_of_memory, otherwise failed. After a
/// signal the cell stays as it was.
bool attempt(Cell& cell, const std::function<void()>& action);

/// Returns the failure in the cell: the first variant that failed, or why there is no winner.
std::string failure_in(const Cell& cell);

/// Returns the message that ends a sweep whose GPU was lost in `cell`. `resumable`: a file has it.
std::string loss_text(const RegimeMap& map, const Cell& cell, bool resumable);

/// Returns the exit code of a complete sweep: wrong if anything failed, not possible if memory ran
/// out or no cell has a winner.
ExitCode exit_code_of(const RegimeMap& map);

struct WallTime {
  double mean = 0, low = 0, high = 0;  ///< microseconds
};

/// Returns the time of a pass (statistics.hpp), with an interval:
/// - with several processes, the 95% interval for another run of as many,
/// - with one, that of the geometric mean of the rounds, centred on the time,
/// - with fewer than `fewest_rounds`, from the shortest to the longest round,
/// - with one round, from the shortest to the longest sample.
/// Intervals of one process do not cover others. Throws std::invalid_argument without samples.
WallTime wall_time_of(const Measurement& m);

/// Returns true if enough rounds give an interval of at most `precision`, also in expectation.
bool is_known_to(double precision, const Measurement& m);

/// Returns the positions of the variants of each tier, in the order of the tiers.
std::map<Tier, std::vector<std::size_t>> tiers_in(const Comparison& comparison);

/// Returns the reference and rounds of the comparison with these of its variants.
Comparison part_of(const Comparison& comparison, const std::vector<std::size_t>& places);

/// The fastest variant so far, and the ratios of the others to it.
struct Standing {
  const Measurement* leader = nullptr;       ///< nullptr if no variant has times
  std::vector<std::optional<Ratio>> ratios;  ///< wall time over the leader's; by variant
};

/// Ranks by means of wall times; if the common rounds contradict these, by the rounds. Among
/// predictions within the model's error the reference leads or, without it, the first variant,
/// because variants are listed from plain to elaborate. Points into the comparison.
Standing standing_of(const Comparison& comparison);

/// Returns the wall time over the leader's; nothing without times or common rounds. With too few
/// rounds for an interval, low and high are the smallest and the largest ratio of a round.
std::optional<Ratio> ratio_over_leader(const Measurement& m, const Measurement& leader);

}  // namespace trilane
