#include "common/sweep/map/sweep_io.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "common/json/document.hpp"
#include "common/json/pretty_json.hpp"
#include "common/sweep/map/curves.hpp"

namespace trilane {
namespace {

constexpr Schema schema{"trilane-sweep", sweep_schema_version, sweep_schema_version};

void check(const Axis& axis) {
  if (!is_sweepable(axis.knob)) {
    throw Misfit{".knob", fmt::format("is \"{}\", which is not known", axis.knob)};
  }
  if (axis.values.empty()) throw Misfit{".values", "is empty"};
}

void check(const RegimeMap& map) {
  within("columns", [&] { check(map.columns); });
  if (map.rows) within("rows", [&] { check(*map.rows); });
  const std::size_t rows = map.rows ? map.rows->values.size() : 1;
  for (const Cell& cell : map.cells) {
    if (cell.column >= map.columns.values.size() || cell.row >= rows) {
      throw Misfit{".cells", fmt::format("has one in column {}, row {}", cell.column, cell.row)};
    }
    const bool known = cell.status != Status::ok ||
                       std::ranges::find(map.variants, cell.winner) != map.variants.end();
    if (!known)
      throw Misfit{".cells", fmt::format("has the winner {}, which is not a variant", cell.winner)};
  }
  for (const auto& [key, size] :
       {std::pair{".letters", map.letters.size()}, std::pair{".tiers", map.tiers.size()}}) {
    if (size != map.variants.size()) throw Misfit{key, "are not as many as the variants"};
  }
}

}  // namespace

std::string to_json(const RegimeMap& map) {
  RegimeMap shown = map;
  std::erase_if(shown.cells, [](const Cell& cell) { return cell.status == Status::not_run; });
  return pretty(document_of(schema, shown));
}

RegimeMap map_from_json(const std::string& text) {
  try {
    RegimeMap map = record_in<RegimeMap>(parsed(text), schema);
    check(map);
    std::vector<Cell> run = std::move(map.cells);
    map.cells = unrun_cells(map);
    for (Cell& cell : run) map.cells[map.position(cell.column, cell.row)] = std::move(cell);
    find_regimes(map);
    return map;
  } catch (const Misfit& misfit) {
    throw std::invalid_argument(in_words(misfit));
  }
}

}  // namespace trilane
