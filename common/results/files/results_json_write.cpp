#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <boost/nowide/utf/convert.hpp>
#include <cmath>
#include <stdexcept>

#include "common/json/pretty_json.hpp"
#include "common/results/files/results_fields.hpp"
#include "common/results/files/results_io.hpp"

namespace trilane {
namespace {

namespace json = boost::json;

template <typename Record>
json::object object_of(const Record& record);

json::value value_of(bool flag) { return flag; }
json::value value_of(std::uint32_t number) { return number; }
json::value value_of(std::uint64_t number) { return number; }

json::value value_of(double number) {
  if (!std::isfinite(number)) throw std::invalid_argument(fmt::format("is {}", number));
  return number;
}

/// A command line or an environment variable may hold any bytes; JSON holds UTF-8 only.
json::string utf8(const std::string& text) {
  return json::string(
      boost::nowide::utf::convert_string<char>(text.data(), text.data() + text.size()));
}

json::value value_of(const std::string& text) { return utf8(text); }
json::value value_of(Status status) { return json::string(name_of(status)); }
json::value value_of(Mode mode) { return json::string(name_of(mode)); }
json::value value_of(Order order) { return json::string(name_of(order)); }
json::value value_of(HostMemory memory) { return json::string(name_of(memory)); }
json::value value_of(Wait wait) { return json::string(name_of(wait)); }
json::value value_of(Pays pays) { return json::string(name_of(pays)); }
json::value value_of(Limiter limiter) { return json::string(name_of(limiter)); }
json::value value_of(Issuer issuer) { return json::string(name_of(issuer)); }
json::value value_of(Chaining chaining) { return json::string(name_of(chaining)); }
json::value value_of(ScratchSource scratch) { return json::string(name_of(scratch)); }
json::value value_of(Mover mover) { return json::string(name_of(mover)); }

/// An object cannot hold a name twice, and the second value would be lost without a word.
void add(json::object& object, const std::string& name, json::value value) {
  if (!object.emplace(utf8(name), std::move(value)).second) {
    throw std::invalid_argument(fmt::format("has the name {} twice", name));
  }
}

json::value value_of(const std::vector<Property>& properties) {
  json::object object;
  for (const auto& [name, text] : properties) add(object, name, utf8(text));
  return object;
}

json::value value_of(const std::vector<Count>& counts) {
  json::object object;
  for (const Count& count : counts) add(object, count.name, count.value);
  return object;
}

json::value value_of(const std::vector<Expectation>& expectations) {
  json::object object;
  for (const Expectation& e : expectations) add(object, e.name, object_of(e));
  return object;
}

/// A clock cannot tell less than 1 ns.
double to_the_nanosecond(double us) { return std::round(us * 1000) / 1000; }

/// Lists hold raw times, as columns do.
json::value value_of(const std::vector<double>& times) {
  json::array array;
  for (const double us : times) array.push_back(value_of(to_the_nanosecond(us)));
  return array;
}

json::value value_of(const std::vector<CallCost>& costs) {
  json::object object;
  for (const CallCost& cost : costs) add(object, cost.name, value_of(cost.us));
  return object;
}

json::value value_of(const std::vector<Series>& all) {
  json::object object;
  for (const Series& series : all) add(object, series.name, value_of(series.values));
  return object;
}

/// Puts one sample's fields at the end of their columns.
struct ColumnWriter {
  json::object& columns;
  json::array& column(const char* key) { return columns.at(key).as_array(); }
  void operator()(const char* key, std::uint32_t field) { column(key).push_back(field); }
  void operator()(const char* key, double us) {
    if (!std::isfinite(us)) throw std::invalid_argument(fmt::format("{} is {}", key, us));
    column(key).push_back(to_the_nanosecond(us));
  }
};

struct ColumnNames {
  json::object& columns;
  void operator()(const char* key, const auto&) { columns[key] = json::array(); }
};

json::value value_of(const std::vector<Sample>& samples) {
  json::object columns;
  ColumnNames names{columns};
  const Sample any;
  fields(names, any);
  ColumnWriter writer{columns};
  for (const Sample& sample : samples) fields(writer, sample);
  return columns;
}

template <typename Record>
json::value value_of(const Record& record) {
  return object_of(record);
}

template <typename Item>
json::value value_of(const std::vector<Item>& items) {
  json::array array;
  for (const Item& item : items) array.push_back(value_of(item));
  return array;
}

struct ObjectWriter {
  json::object object{};

  template <typename Field>
  void operator()(const char* key, const Field& field) {
    try {
      object[key] = value_of(field);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(fmt::format("{} {}", key, error.what()));
    }
  }
  template <typename Field>
  void operator()(const char* key, const std::optional<Field>& field) {
    if (field) (*this)(key, *field);
  }
  void derived(const char* key, std::uint32_t number) { object[key] = number; }
};

template <typename Record>
json::object object_of(const Record& record) {
  ObjectWriter writer;
  fields(writer, record);
  return std::move(writer.object);
}

}  // namespace

std::string to_json(const Results& results) {
  ObjectWriter writer;
  writer.object["schema"] = results_schema;
  writer.object["schema_version"] = results_schema_version;
  fields(writer, results);
  return pretty(writer.object);
}

}  // namespace trilane
