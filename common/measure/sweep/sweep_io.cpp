#include "common/measure/sweep/sweep_io.hpp"

#include <algorithm>
#include <stdexcept>

#include "common/base/json/json_schema.hpp"
#include "common/base/json/pretty_json.hpp"
#include "common/measure/sweep/map/curves.hpp"

namespace trilane {
namespace {

constexpr Schema schema{"trilane-sweep", sweep_schema_version, sweep_schema_version};

}  // namespace

std::string to_json(const RegimeMap& map) {
  RegimeMap shown = map;
  std::erase_if(shown.cells, [](const Cell& cell) { return cell.status == Status::not_run; });
  return pretty(document_of(schema, shown));
}

RegimeMap map_from_json(const std::string& text) {
  try {
    RegimeMap map = record_in<RegimeMap>(parsed(text), schema);
    std::vector<Cell> run = std::move(map.cells);
    map.cells = unrun_cells(map);
    for (Cell& cell : run) map.cells[map.position(cell.column, cell.row)] = std::move(cell);
    find_regimes(map);
    return map;
  } catch (const Misfit& misfit) {
    throw std::invalid_argument(in_words(misfit));
  }
}

boost::json::object sweep_json_schema() { return json_schema_of<RegimeMap>(schema); }

}  // namespace trilane
