#include "common/sweep/map/visit_schedule.hpp"

#include <algorithm>
#include <numeric>

#include "common/workload/random.hpp"

namespace trilane {
namespace {

constexpr double least_seconds = 0.02;  // six rounds are run anyway

}  // namespace

bool is_open(const Cell& cell) { return cell.status == Status::ok && cell.stopped == "time"; }

Schedule::Schedule(const RegimeMap& map) : map_(map), order_(map.cells.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  Random random(map.seed);
  shuffle(std::span(order_), random);
}

/// The mean time of a visit so far, except for measuring.
double Schedule::overhead() const {
  double sum = 0, count = 0;
  for (const Cell& cell : map_.cells) {
    if (cell.visits == 0) continue;
    sum += std::max(0.0, cell.seconds - cell.measuring_seconds);
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

std::optional<Visit> Schedule::first_visit() const {
  const auto waiting = [&](std::size_t position) {
    return map_.cells[position].status == Status::not_run;
  };
  const auto first = std::ranges::find_if(order_, waiting);
  if (first == order_.end()) return std::nullopt;
  const auto share = [](double seconds, auto cells) {
    return seconds / static_cast<double>(cells);
  };
  // Time left over from cells decided early goes to open cells at the end.
  const double seconds = std::min(share(left(), std::ranges::count_if(order_, waiting)),
                                  share(map_.seconds_allowed, order_.size()));
  return Visit{*first, std::max(least_seconds, seconds - overhead())};
}

/// The open cell with the fewest visits gets its share of the time left.
std::optional<Visit> Schedule::another_visit() const {
  std::optional<std::size_t> chosen;
  double open = 0;
  for (const std::size_t position : order_) {
    const Cell& cell = map_.cells[position];
    if (!is_open(cell)) continue;
    ++open;
    if (!chosen || cell.visits < map_.cells[*chosen].visits) chosen = position;
  }
  if (!chosen) return std::nullopt;
  const Cell& cell = map_.cells[*chosen];
  const double other = std::max(0.0, cell.seconds - cell.measuring_seconds);
  const double twice = 2 * cell.measuring_seconds;
  const double seconds = std::max(twice, left() / open - other);
  if (!(seconds + other <= left())) return std::nullopt;
  return Visit{*chosen, seconds};
}

std::optional<Visit> Schedule::next() {
  if (auto visit = first_visit()) return visit;
  return another_visit();
}

}  // namespace trilane
