// Fake maps for tests: each cell is described by a character.
#pragma once

#include "common/measure/sweep/map/regimes.hpp"
#include "tests/framework.hpp"

namespace trilane {

inline const std::vector<std::string> made_up_variants{"streams", "graph", "pool"};
inline const std::vector<Tier> made_up_tiers(3, Tier::same_operations);

/// Makes a cell that 's'treams, 'g'raph or 'p'ool wins. With two letters, the first wins and the
/// second ties; "-" is not supported, "." not run. The winner is twice as fast as streams.
inline void make_up(Cell& cell, const std::string& letters) {
  cell.status = letters == "-"   ? Status::not_supported
                : letters == "." ? Status::not_run
                                 : Status::ok;
  if (letters == "-") cell.reason = "too large";
  if (cell.status != Status::ok) return;
  const auto named = [](char letter) {
    return *std::ranges::find(made_up_variants, letter,
                              [](const std::string& name) { return name.front(); });
  };
  cell.stopped = "decided";
  cell.visits = 1;
  cell.winner = named(letters[0]);
  for (const char letter : letters.substr(1)) cell.tied.push_back(named(letter));
  for (const std::string& name : made_up_variants) {
    const double wall_us = name == cell.winner ? 100 : is_among_the_best(cell, name) ? 100.5 : 200;
    cell.variants.push_back({.variant = name,
                             .wall_us = wall_us,
                             .submit_us = 50,
                             .wall_low_us = wall_us,
                             .wall_high_us = wall_us,
                             .over_winner = wall_us / 100,
                             .low = wall_us / 100,
                             .high = wall_us / 100,
                             .rounds = 6,
                             .processes = {{wall_us, 50}}});
  }
  cell.runner_up = cell.tied.empty() ? (cell.winner == "pool" ? "graph" : "pool") : cell.tied[0];
  cell.over_runner_up = Ratio{cell.tied.empty() ? 2 : 1.005, 1, 2};
  cell.over_reference = Ratio{2, 2, 2};
}

/// Takes rows from the largest value down, as in a picture; cells are separated by spaces. Columns
/// are chunk sizes from 4 KiB, rows chunks from 2, both doubling.
inline RegimeMap made_up_map(const std::vector<std::string>& pictured) {
  SweepRequest request;
  request.base.name = "custom";
  request.columns.knob = "chunk-size";
  request.columns.unit = "bytes";
  request.rows = Axis{.knob = "chunks", .values = {}};
  std::vector<std::vector<std::string>> cells;
  for (const std::string& line : pictured) {
    cells.insert(cells.begin(), std::vector<std::string>(1));
    for (const char c : line) {
      if (c == ' ') cells.front().emplace_back();
      if (c != ' ') cells.front().back() += c;
    }
    request.rows->values.push_back(2 << request.rows->values.size());
  }
  for (std::size_t i = 0; i < cells.front().size(); ++i) {
    request.columns.values.push_back(4096 << i);
  }
  RegimeMap map = empty_map(request, made_up_variants, made_up_tiers);
  map.reference = "streams";
  for (Cell& cell : map.cells) make_up(cell, cells.at(cell.row).at(cell.column));
  find_regimes(map);
  return map;
}

}  // namespace trilane
