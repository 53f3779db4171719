// Fake sweeps over one knob for tests, from times in microseconds.
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "common/measure/sweep/map/curves.hpp"

namespace trilane {

/// For a variant that was not timed.
inline constexpr double untimed = 0;

using Times = std::vector<double>;

/// Returns streams, graph_coalesced and fused, one of each tier, at the values, each with an
/// interval of `half_width` either way. The fastest of a value wins. Every value has the same
/// input, unless `bytes` has one for each.
inline RegimeMap made_up_curve(const Axis& axis, const std::vector<Times>& times,
                               double half_width = 0, const Times& bytes = {}) {
  const std::vector<std::string> names{"streams", "graph_coalesced", "fused"};
  SweepRequest request;
  request.columns = axis;
  request.base.name = "custom";
  RegimeMap map =
      empty_map(request, {names.begin(), names.begin() + static_cast<std::ptrdiff_t>(times.size())},
                {all_tiers, all_tiers + times.size()});
  map.reference = "streams";
  for (Cell& cell : map.cells) {
    double fastest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < times.size(); ++i) {
      const double us = times[i].at(cell.column);
      if (us == untimed) {
        cell.left_out.emplace_back(names[i], "not supported: none here");
      } else if (us < fastest) {
        fastest = us;
        cell.winner = names[i];
      }
    }
    if (cell.winner.empty()) continue;
    cell.status = Status::ok;
    cell.stopped = "decided";
    cell.visits = 1;
    cell.workload = presets().front();
    if (!bytes.empty()) cell.workload.bytes = static_cast<std::uint64_t>(bytes[cell.column]);
    for (std::size_t i = 0; i < times.size(); ++i) {
      const double us = times[i].at(cell.column);
      if (us == untimed) continue;
      cell.winners.push_back({.tier = all_tiers[i], .variant = names[i], .ratio = {}, .tied = {}});
      cell.variants.push_back({.variant = names[i],
                               .wall_us = us,
                               .submit_us = 1,
                               .wall_low_us = us * (1 - half_width),
                               .wall_high_us = us * (1 + half_width),
                               .over_winner = us / fastest,
                               .low = us / fastest,
                               .high = us / fastest,
                               .rounds = 20,
                               .processes = {{us, 1}}});
    }
  }
  find_regimes(map);
  return map;
}

inline const Axis some_chunks{.knob = "chunks", .values = {1, 2, 4, 8, 16}};

/// Returns one variant, streams, over these numbers of chunks.
inline RegimeMap made_up_curve(const Times& times, double half_width = 0) {
  return made_up_curve(some_chunks, {times}, half_width);
}

}  // namespace trilane
