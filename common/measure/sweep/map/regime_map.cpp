#include "common/measure/sweep/map/regime_map.hpp"

namespace trilane {
namespace {

void check(const Cell& cell, const RegimeMap& map) {
  const auto known = [&](const char* key, const std::string& variant) {
    if (includes(map.variants, variant)) return;
    throw Misfit{step(std::string_view(key)),
                 fmt::format("has {}, which is not a variant of the sweep", variant)};
  };
  const std::size_t rows = map.rows ? map.rows->values.size() : 1;
  if (cell.column >= map.columns.values.size() || cell.row >= rows) {
    misfit("has column {}, row {}, which the map does not have", cell.column, cell.row);
  }
  if (cell.status == Status::not_run) misfit("has not run, so it has no place in a file");
  for (const CellVariant& entry : cell.variants) known("variants", entry.variant);
  for (const std::string& name : cell.tied) known("tied", name);
  for (const Winner& winner : cell.winners) known("winners", winner.variant);
  if (!cell.runner_up.empty()) known("runner_up", cell.runner_up);
  if (cell.status != Status::ok) return;
  if (cell.visits == 0) throw Misfit{".visits", "is 0, but the cell was measured"};
  if (const std::string flaw = flaw_of(cell.workload); !flaw.empty()) {
    throw Misfit{".workload", flaw};
  }
  known("winner", cell.winner);
  for (const CellVariant& entry : cell.variants) {
    if (entry.processes.size() == cell.visits) continue;
    throw Misfit{".variants", fmt::format("has {} processes of {}, and there were {} visits",
                                          entry.processes.size(), entry.variant, cell.visits)};
  }
  const CellVariant* const winner = find_variant(cell, cell.winner);
  if (winner && std::abs(winner->over_winner - 1) < 1e-5) return;
  throw Misfit{".winner", fmt::format("is {}, which is not the fastest in .variants", cell.winner)};
}

void check_variants(const RegimeMap& map) {
  const std::set<std::string> names(map.variants.begin(), map.variants.end());
  if (names.empty() || names.size() != map.variants.size()) {
    throw Misfit{".variants", "is empty or has a variant twice"};
  }
  if (!map.reference.empty() && !names.contains(map.reference)) {
    throw Misfit{".reference", fmt::format("is {}, which is not a variant", map.reference)};
  }
  for (const auto& [key, size] :
       {std::pair{".letters", map.letters.size()}, std::pair{".tiers", map.tiers.size()}}) {
    if (size != map.variants.size()) throw Misfit{key, "are not as many as the variants"};
  }
  const auto fills_a_cell = [](const std::string& letter) {
    return letter == "*" || (letter.size() == 1 && letter[0] >= 'A' && letter[0] <= 'Z');
  };
  if (!std::ranges::all_of(map.letters, fills_a_cell)) {
    throw Misfit{".letters", "are not one capital letter or * each"};
  }
}

}  // namespace

RegimeMap empty_map(const SweepRequest& request, const std::vector<std::string>& variants,
                    const std::vector<Tier>& tiers) {
  RegimeMap map;
  map.command = request.command;
  map.workload = request.base.name;
  map.columns = request.columns;
  map.rows = request.rows;
  map.variants = variants;
  map.tiers = tiers;
  map.letters = letters_for(variants);
  map.cells = unrun_cells(map);
  return map;
}

std::vector<Cell> unrun_cells(const RegimeMap& map) {
  std::vector<Cell> cells;
  const std::size_t rows = map.rows ? map.rows->values.size() : 1;
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint32_t column = 0; column < map.columns.values.size(); ++column) {
      Cell& cell = cells.emplace_back();
      cell.column = column;
      cell.row = row;
    }
  }
  return cells;
}

std::vector<std::string> letters_for(const std::vector<std::string>& names) {
  std::vector<std::string> letters;
  for (const std::string& name : names) {
    const std::size_t last_word = name.find_last_of('_') + 1;  // 0 if there is only one
    // Then any other letter, so that every name gets one.
    for (const char c : name.substr(last_word) + name + "abcdefghijklmnopqrstuvwxyz") {
      const bool small = c >= 'a' && c <= 'z';
      const std::string letter(1, static_cast<char>(c - 'a' + 'A'));
      if (!small || includes(letters, letter)) continue;
      letters.push_back(letter);
      break;
    }
    if (letters.size() <= static_cast<std::size_t>(&name - names.data())) letters.push_back("*");
  }
  return letters;
}

double size_of(const RegimeMap& map, const Cell& cell) {
  if (!map.rows) return 0;
  const bool sizes = map.columns.knob == "chunk-size" && map.rows->knob == "chunks";
  const bool counts = map.columns.knob == "chunks" && map.rows->knob == "chunk-size";
  if (!sizes && !counts) return 0;
  return map.columns.values.at(cell.column) * map.rows->values.at(cell.row);
}

Axis axis_along(const RegimeMap& map, Cut cut) {
  if (cut != Cut::size) return cut == Cut::rows ? map.columns : map.rows.value();
  std::set<double> sizes;
  for (const Cell& cell : map.cells) sizes.insert(size_of(map, cell));
  return {.knob = "size", .unit = "bytes", .values = {sizes.begin(), sizes.end()}};
}

Axis axis_across(const RegimeMap& map, Cut cut) {
  if (cut == Cut::size || !map.rows) return {.knob = "size", .unit = "bytes", .values = {0}};
  return cut == Cut::rows ? *map.rows : map.columns;
}

const CellVariant* find_variant(const Cell& cell, const std::string& variant) {
  const auto found = std::ranges::find(cell.variants, variant, &CellVariant::variant);
  return found == cell.variants.end() ? nullptr : &*found;
}

Tier tier_of(const RegimeMap& map, const std::string& variant) {
  const auto found = std::ranges::find(map.variants, variant);
  return map.tiers.at(static_cast<std::size_t>(found - map.variants.begin()));
}

bool is_among_the_best(const Cell& cell, const std::string& variant) {
  return cell.status == Status::ok && (cell.winner == variant || includes(cell.tied, variant));
}

std::string in_words(const std::string& knob) {
  std::string words = knob;
  std::ranges::replace(words, '-', ' ');
  return words;
}

std::string noun_of(const RegimeMap& map) { return map.rows ? "cell" : "value"; }

std::string place_text(const RegimeMap& map, const Cell& cell) {
  const auto part = [](const Axis& axis, std::size_t position) {
    return fmt::format("{} {}", in_words(axis.knob),
                       value_text(axis.knob, axis.values.at(position)));
  };
  const std::string column = part(map.columns, cell.column);
  return map.rows ? fmt::format("{}, {}", column, part(*map.rows, cell.row)) : column;
}

void cross_check(const RegimeMap& map) {
  if (map.rows && map.rows->knob == map.columns.knob) {
    throw Misfit{".rows.knob", "is that of the columns"};
  }
  check_variants(map);
  std::set<std::pair<std::uint32_t, std::uint32_t>> places;
  within("cells", [&] {
    within_each(map.cells, [&](const Cell& cell) {
      check(cell, map);
      if (!places.emplace(cell.column, cell.row).second) misfit("is there twice");
    });
  });
}

}  // namespace trilane
