#include "common/measure/sweep/map/regimes.hpp"

#include "common/model/workload/random.hpp"

namespace trilane {
namespace {

constexpr double least_seconds = 0.02;  // the shortest turns take longer anyway

/// Returns the mean time of a visit so far, except for measuring.
double overhead(const RegimeMap& map) {
  double sum = 0, count = 0;
  for (const Cell& cell : map.cells) {
    if (cell.visits == 0) continue;
    sum += std::max(0.0, cell.seconds - cell.measuring_seconds);
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

}  // namespace

bool is_open(const Cell& cell) { return cell.status == Status::ok && cell.stopped == "time"; }

std::uint32_t visits_left(const RegimeMap& map, const Cell& cell) {
  const bool can_run = cell.status == Status::ok || cell.status == Status::not_run;
  return can_run && cell.visits < map.processes ? map.processes - cell.visits : 0;
}

std::optional<Visit> next_visit(const RegimeMap& map) {
  Random random(map.seed);
  const Cell* chosen = nullptr;  // the first of those with the fewest visits
  double left = 0;
  for (const std::size_t position : shuffled(map.cells.size(), random)) {
    const Cell& cell = map.cells[position];
    if (visits_left(map, cell) == 0) continue;
    left += visits_left(map, cell);
    if (!chosen || cell.visits < chosen->visits) chosen = &cell;
  }
  if (!chosen) return std::nullopt;
  double seconds = (map.seconds_allowed - map.seconds) / left;
  if (!is_open(*chosen) && visits_left(map, *chosen) > 1) {
    const auto all = static_cast<double>(map.cells.size()) * map.processes;
    seconds = std::min(seconds, map.seconds_allowed / all);
  }
  return Visit{static_cast<std::size_t>(chosen - map.cells.data()),
               std::max(least_seconds, seconds - overhead(map))};
}

}  // namespace trilane
