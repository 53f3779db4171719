// Decides when a cell's measuring ends, and what its result is. An error ends only that cell.
#pragma once

#include "common/base/text/exit_code.hpp"
#include "common/measure/sweep/map/regime_map.hpp"

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

/// Returns a complete sweep's exit code: wrong if anything failed, not possible if nothing won.
ExitCode exit_code_of(const RegimeMap& map);

}  // namespace trilane
