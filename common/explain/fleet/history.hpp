// Results files in the order of their commits: where something changed.
#pragma once

#include "common/explain/fleet/fleet.hpp"

namespace trilane {

/// A change of figures between two commits.
struct HistoryChange {
  std::string before, since;       ///< the last commit with the old times, the first with the new
  std::string earliest, latest;    ///< `since` could as well be one of these or between them
  std::vector<OddFigure> figures;  ///< new time over old, largest change first
};
BOOST_DESCRIBE_STRUCT(HistoryChange, (), (before, since, earliest, latest, figures))
TRILANE_RANGES(HistoryChange, Within<&R::before, &R::since, &R::earliest, &R::latest>{text_range})

/// A figure over commits.
struct HistoryCurve {
  std::string name;
  std::vector<double> relative;  ///< by commit; 1 is the median, 0 means no time
};
BOOST_DESCRIBE_STRUCT(HistoryCurve, (), (name, relative))
TRILANE_RANGES(HistoryCurve, Within<&R::relative>{factor_range})

struct History {
  double false_alarms = 0, differs_from = 0;  ///< see FleetRequest; of histories, not fleets
  std::string verdict{};
  std::vector<std::string> commits{};  ///< revisions, or files if all have one revision
  std::vector<LeftOut> left_out;
  std::vector<HistoryChange> changes{};
  std::vector<HistoryCurve> curves{};
};
BOOST_DESCRIBE_STRUCT(History, (),
                      (false_alarms, differs_from, verdict, commits, left_out, changes, curves))
TRILANE_RANGES(History, Within<&R::false_alarms, &R::differs_from>{{0, 1}},
               Within<&R::verdict, &R::commits>{text_range})

/// Judges the runs of at least one file, in the order of their commits. Neighbours of one revision
/// count together.
History history_of(const std::vector<FleetRun>& runs, std::vector<LeftOut> left_out,
                   const FleetRequest& request);

/// A step in a series: values from `since` on have another level.
struct LevelStep {
  std::size_t since = 0, earliest = 0, latest = 0;  ///< the last two: of `since`, where it fits
  double by = 0, strength = 0;                      ///< the new level minus the old; in errors
};

/// Returns the steps of a series, in order. In at most a share of `alarms` of series without a step
/// one is found; none is smaller than `least`. A step must last for three values.
/// - Values far from all their neighbours are moved towards them.
/// - A part whose level differs from the rest is sought again and again (Olshen and others 2004).
/// - The noise is that of neighbours' differences, or of the residuals if that is larger, with the
///   correlation of these.
std::vector<LevelStep> steps_of(std::span<const double> values, double alarms, double least);

/// Returns the changes, what was left out, and the verdict.
Page history_page(const History& history);

inline constexpr Schema history_schema{"trilane-history", 1, 1};

std::string to_json(const History& history);

}  // namespace trilane
