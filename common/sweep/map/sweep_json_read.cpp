#include <fmt/format.h>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <stdexcept>

#include "common/json/json_read.hpp"
#include "common/json/pretty_json.hpp"
#include "common/results/files/results_io.hpp"
#include "common/sweep/map/borders.hpp"
#include "common/sweep/map/sweep_fields.hpp"
#include "common/sweep/map/sweep_io.hpp"

namespace trilane {
namespace {

namespace json = boost::json;
using trilane::read;

/// Reads an object as its fields, each of which must be there. What else is in it, is derived.
struct ObjectReader {
  const json::object& object;
  void operator()(const char* key, auto& field);
  template <typename Field>
  void operator()(const char* key, std::optional<Field>& field) {
    if (object.contains(key)) (*this)(key, field.emplace());
  }
  void derived(const char*, const auto&) {}
};

template <typename Record>
void read(const json::value& value, Record& record) {
  ObjectReader reader{object_in(value)};
  fields(reader, record);
}

/// As it stands in a results file.
void read(const json::value& value, Context& context) {
  const json::object file{{"schema", results_schema},
                          {"schema_version", results_schema_version},
                          {"context", value},
                          {"comparisons", json::array()}};
  try {
    context = from_json(pretty(file)).context;
  } catch (const std::invalid_argument& error) {
    misfit(fmt::format("does not fit: {}", error.what()));
  }
}

template <typename Item>
void read(const json::value& value, std::vector<Item>& list) {
  for (const json::value& entry : array_in(value)) {
    within(fmt::format("[{}]", list.size()), [&] { read(entry, list.emplace_back()); });
  }
}

void read(const json::value& value, std::vector<CellVariant>& list) {
  for (const auto& [key, entry] : object_in(value)) {
    list.emplace_back().variant = std::string(key);
    within(fmt::format(".{}", std::string_view(key)), [&] { read(entry, list.back()); });
  }
}

void read(const json::value& value, std::vector<Property>& list) {
  for (const auto& [key, entry] : object_in(value)) {
    within(fmt::format(".{}", std::string_view(key)),
           [&] { read(entry, list.emplace_back(std::string(key), "").second); });
  }
}

void read(const json::value& value, Axis& axis) {
  ObjectReader reader{object_in(value)};
  std::string knob;
  reader("knob", knob);
  if (std::ranges::find(sweepable_knobs(), knob) == sweepable_knobs().end()) {
    throw Misfit{".knob", fmt::format("is \"{}\", which is not known", knob)};
  }
  fields(reader, axis);
  if (axis.values.empty()) throw Misfit{".values", "is empty"};
}

void ObjectReader::operator()(const char* key, auto& field) {
  const json::value* value = object.if_contains(key);
  if (value == nullptr) throw Misfit{fmt::format(".{}", key), "is missing"};
  within(fmt::format(".{}", key), [&] { read(*value, field); });
}

/// In the file only the cells that were run; in the map each in its place.
void put_in_place(RegimeMap& map) {
  std::vector<Cell> cells = std::move(map.cells);
  map.cells.assign(map.columns.values.size() * map.rows.values.size(), {});
  for (std::uint32_t i = 0; i < map.cells.size(); ++i) {
    map.cells[i].column = i % static_cast<std::uint32_t>(map.columns.values.size());
    map.cells[i].row = i / static_cast<std::uint32_t>(map.columns.values.size());
  }
  for (Cell& cell : cells) {
    if (cell.column >= map.columns.values.size() || cell.row >= map.rows.values.size()) {
      throw Misfit{".cells", fmt::format("has one in column {}, row {}", cell.column, cell.row)};
    }
    const bool known = cell.status != Status::ok ||
                       std::ranges::find(map.variants, cell.winner) != map.variants.end();
    if (!known) throw Misfit{".cells", fmt::format("has the winner {}, no variant", cell.winner)};
    map.cells[map.position(cell.column, cell.row)] = std::move(cell);
  }
}

RegimeMap map_in(const json::value& document) {
  ObjectReader reader{object_in(document)};
  std::string schema;
  reader("schema", schema);
  if (schema != sweep_schema) throw Misfit{".schema", fmt::format("is \"{}\", no map", schema)};
  std::uint32_t version = 0;
  reader("schema_version", version);
  if (version != sweep_schema_version) {
    throw Misfit{".schema_version",
                 fmt::format("is {}, and this program reads {}", version, sweep_schema_version)};
  }
  RegimeMap map;
  fields(reader, map);
  put_in_place(map);
  if (map.letters.size() != map.variants.size()) {
    throw Misfit{".letters", "are not as many as the variants"};
  }
  find_borders(map);
  return map;
}

}  // namespace

RegimeMap map_from_json(const std::string& text) {
  boost::system::error_code error;
  const json::value document = json::parse(text, error);
  if (error) throw std::invalid_argument(fmt::format("no JSON: {}", error.message()));
  try {
    return map_in(document);
  } catch (const Misfit& misfit) {
    throw std::invalid_argument(fmt::format("{} {}", misfit.place, misfit.what));
  }
}

}  // namespace trilane
