// The steps of merged_fleet() and history_of().
#pragma once

#include "common/explain/fleet/fleet.hpp"

namespace trilane {

/// Returns the mean of independent values, at least one, with the fewest degrees of freedom.
LogMean averaged(const std::vector<LogMean>& values);

/// The machine or commit of each run, by index.
using Places = std::vector<std::size_t>;

/// Returns the machine of each run, and adds new ones to `machines`.
Places machines_of(const std::vector<FleetRun>& runs, std::vector<FleetMachine>& machines);

/// The times of a figure at a place, by work, of each of its files.
using Times = std::map<std::string, std::vector<LogMean>>;

/// A cost, or the time of a variant on a workload.
struct FleetTimes {
  bool cost = false;
  std::map<std::size_t, Times> places;
};
using Figures = std::map<std::string, FleetTimes>;  ///< by name

/// The labels of works, by key.
using Labels = std::map<std::string, std::string>;

/// Returns the label of each work that at least half of the runs have.
Labels shared_works(const std::vector<FleetRun>& runs);

/// Adds what a run has besides these works, what failed in it, and that it has no times.
void note_left_out(const FleetRun& run, const Labels& labels, std::vector<LeftOut>& left_out);

Figures figures_of(const std::vector<FleetRun>& runs, const Places& places, const Labels& labels);

/// Returns the time at each place over the median, averaged over works, in the order of places.
std::vector<LogMean> relative_times(const FleetTimes& figure);

/// Returns "graph on launch +5.2%".
inline std::string difference_in_words(const OddFigure& figure) {
  return fmt::format("{} {:+.1f}%", figure.name, 100 * (figure.ratio - 1));
}

/// Returns a section of a page; nothing if nothing was left out.
Page left_out_page(const std::vector<LeftOut>& left_out);

/// Returns the verdict over machines on one work. Gains below the share `margin` do not count.
FleetWorkload workload_of(const std::string& key, const std::string& label,
                          const std::vector<FleetRun>& runs, const Places& places, double margin);

}  // namespace trilane
