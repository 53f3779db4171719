#include "common/analysis/statistics/turns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>
#include <stdexcept>

namespace trilane {

std::vector<TurnValue> turn_medians(std::span<const Sample> samples) {
  std::vector<std::pair<Turn, double>> walls;
  walls.reserve(samples.size());
  for (const Sample& sample : samples) {
    if (!(std::isfinite(sample.wall_us) && sample.wall_us > 0)) {
      throw std::invalid_argument(fmt::format("a ratio from a wall time of {}", sample.wall_us));
    }
    walls.emplace_back(Turn{sample.process, sample.round}, sample.wall_us);
  }
  std::ranges::sort(walls);
  std::vector<TurnValue> medians;
  for (std::size_t first = 0, last = 0; first < walls.size(); first = last) {
    while (last < walls.size() && walls[last].first == walls[first].first) ++last;
    const std::size_t low = first + (last - first - 1) / 2, high = first + (last - first) / 2;
    medians.push_back({walls[first].first, (walls[low].second + walls[high].second) / 2});
  }
  return medians;
}

std::vector<std::vector<double>> logs_by_process(std::span<const TurnValue> turns) {
  std::map<std::uint32_t, std::vector<double>> logs;
  for (const auto& [turn, value] : turns) logs[turn.first].push_back(std::log(value));
  const auto lists = std::views::values(logs);
  return {lists.begin(), lists.end()};
}

}  // namespace trilane
