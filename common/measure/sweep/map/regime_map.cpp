#include "common/measure/sweep/map/regime_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace trilane {

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
      if (!small || std::ranges::find(letters, letter) != letters.end()) continue;
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

const char* name_of(Merit merit) {
  switch (merit) {
    case Merit::time: return "wall time";
    case Merit::time_per_byte: return "wall time per byte of input";
    case Merit::none: return "none";
  }
  return "";
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
  return cell.status == Status::ok &&
         (cell.winner == variant || std::ranges::find(cell.tied, variant) != cell.tied.end());
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

}  // namespace trilane
