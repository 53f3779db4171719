#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include "common/json/pretty_json.hpp"
#include "common/results/files/results_io.hpp"
#include "common/sweep/map/sweep_fields.hpp"
#include "common/sweep/map/sweep_io.hpp"

namespace trilane {
namespace {

namespace json = boost::json;

template <typename Record>
json::object object_of(const Record& record);

json::value value_of(bool flag) { return flag; }
json::value value_of(std::uint32_t number) { return number; }
json::value value_of(std::uint64_t number) { return number; }
json::value value_of(double number) { return number; }
json::value value_of(const std::string& text) { return json::string(text); }
json::value value_of(Status status) { return json::string(name_of(status)); }
json::value value_of(Mode mode) { return json::string(name_of(mode)); }
json::value value_of(Order order) { return json::string(name_of(order)); }
json::value value_of(HostMemory kind) { return json::string(name_of(kind)); }
json::value value_of(const PoolPolicy& policy) { return object_of(policy); }
json::value value_of(const Ratio& ratio) { return object_of(ratio); }
json::value value_of(const Workload& workload) { return object_of(workload); }
json::value value_of(const Axis& axis) { return object_of(axis); }

/// As it stands in a results file.
json::value value_of(const Context& context) {
  const json::value file = json::parse(to_json(Results{.context = context, .comparisons = {}}));
  return file.at("context");
}

json::value value_of(const std::vector<double>& numbers) {
  return json::array(numbers.begin(), numbers.end());
}

json::value value_of(const std::vector<std::string>& texts) {
  json::array array;
  for (const std::string& text : texts) array.push_back(json::string(text));
  return array;
}

json::value value_of(const std::vector<Property>& properties) {
  json::object object;
  for (const auto& [name, text] : properties) object[name] = text;
  return object;
}

json::value value_of(const std::vector<CellVariant>& variants) {
  json::object object;
  for (const CellVariant& variant : variants) object[variant.variant] = object_of(variant);
  return object;
}

json::value value_of(const std::vector<Cell>& cells) {
  json::array array;
  for (const Cell& cell : cells) {
    if (cell.status != Status::not_run) array.push_back(object_of(cell));
  }
  return array;
}

struct ObjectWriter {
  json::object object{};
  void operator()(const char* key, const auto& field) { object[key] = value_of(field); }
  template <typename Field>
  void operator()(const char* key, const std::optional<Field>& field) {
    if (field) object[key] = value_of(*field);
  }
  void derived(const char* key, const auto& field) { object[key] = field; }
};

template <typename Record>
json::object object_of(const Record& record) {
  ObjectWriter writer;
  fields(writer, record);
  return std::move(writer.object);
}

json::value value_of(const Span& span) { return {{"first", span.first}, {"last", span.last}}; }

json::value value_of(const Regime& regime) {
  json::object object{{"span", value_of(regime.span)}, {"variant", regime.variant}};
  object["tied"] = value_of(regime.tied);
  object["exceptions"] = json::array(regime.exceptions.begin(), regime.exceptions.end());
  if (regime.least) object["least_gain"] = *regime.least;
  if (regime.most) object["most_gain"] = *regime.most;
  return object;
}

json::value value_of(const std::vector<Band>& bands) {
  json::array array;
  for (const Band& band : bands) {
    json::array regimes;
    for (const Regime& regime : band.regimes) regimes.push_back(value_of(regime));
    array.push_back({{"words", band.words}, {"span", value_of(band.span)}, {"regimes", regimes}});
  }
  return array;
}

}  // namespace

std::string to_json(const RegimeMap& map) {
  ObjectWriter writer;
  writer("schema", std::string(sweep_schema));
  writer("schema_version", sweep_schema_version);
  fields(writer, map);
  writer.object["bands_of"] = name_of(map.cut);
  writer.object["borders"] = value_of(map.bands);
  return pretty(writer.object);
}

}  // namespace trilane
