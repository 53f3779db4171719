#include <fmt/format.h>

#include <algorithm>
#include <boost/json/parser.hpp>
#include <boost/json/value.hpp>
#include <stdexcept>

#include "common/results/json_read.hpp"
#include "common/results/results_fields.hpp"
#include "common/results/results_io.hpp"

namespace trilane {
namespace {

namespace json = boost::json;
using trilane::read;

template <typename Item>
void read(const json::value& value, std::vector<Item>& list);

void read(const json::value& value, Series& field) { read(value, field.values); }
void read(const json::value& value, Property& field) { read(value, field.second); }
void read(const json::value& value, Count& field) { read(value, field.value); }

/// Reads an object as its fields, each of which must be there, and nothing else.
class ObjectReader {
 public:
  explicit ObjectReader(const json::value& value) : object_(object_in(value)) {}

  template <typename Field>
  void operator()(const char* key, Field& field);
  template <typename Field>
  void operator()(const char* key, std::optional<Field>& field);
  void derived(const char* key, std::uint32_t number) {
    std::uint32_t found = 0;
    (*this)(key, found);
    if (found != number) {
      throw Misfit{fmt::format(".{}", key), fmt::format("is {} but must be {}", found, number)};
    }
  }
  void finish() const;

 private:
  const json::object& object_;
  std::vector<std::string> keys_;
};

template <typename Record>
void read(const json::value& value, Record& record) {
  ObjectReader reader(value);
  fields(reader, record);
  reader.finish();
}

template <typename Named>
void read_named(const json::value& value, std::vector<Named>& list, std::string Named::*name) {
  for (const auto& [key, entry] : object_in(value)) {
    list.emplace_back().*name = std::string(key);
    within(fmt::format(".{}", std::string_view(key)), [&] { read(entry, list.back()); });
  }
}

void read(const json::value& value, std::vector<Property>& list) {
  read_named(value, list, &Property::first);
}
void read(const json::value& value, std::vector<Count>& list) {
  read_named(value, list, &Count::name);
}
void read(const json::value& value, std::vector<Series>& list) {
  read_named(value, list, &Series::name);
}
void read(const json::value& value, std::vector<Expectation>& list) {
  read_named(value, list, &Expectation::name);
}

template <typename Item>
void read(const json::value& value, std::vector<Item>& list) {
  for (const json::value& entry : array_in(value)) {
    const std::size_t index = list.size();
    within(fmt::format("[{}]", index), [&] { read(entry, list.emplace_back()); });
  }
}

/// A sample's fields out of the columns that hold them. The place is put together only when it is
/// needed: there are a hundred thousand samples in a file.
struct SampleReader {
  const json::object& columns;
  std::size_t index;
  void operator()(const char* key, auto& field) {
    const json::array& column = columns.at(key).get_array();
    try {
      read(column[index], field);
    } catch (Misfit& error) {
      error.place = fmt::format(".{}[{}]", key, index);
      throw;
    }
  }
};

/// One of the columns, as a field of the object that holds them.
struct Column {
  std::size_t length = 0;
};

void read(const json::value& value, Column& column) { column.length = array_in(value).size(); }

/// Finds every column of a sample, all of one length.
struct ColumnReader {
  ObjectReader& columns;
  std::optional<std::size_t> length{};
  void operator()(const char* key, const auto&);
};

void read(const json::value& value, std::vector<Sample>& samples) {
  ObjectReader object(value);
  ColumnReader columns{object};
  const Sample any;
  fields(columns, any);
  object.finish();
  samples.resize(columns.length.value_or(0));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    SampleReader reader{value.get_object(), i};
    fields(reader, samples[i]);
  }
}

template <typename Field>
void ObjectReader::operator()(const char* key, Field& field) {
  keys_.emplace_back(key);
  const json::value* value = object_.if_contains(key);
  if (value == nullptr) throw Misfit{fmt::format(".{}", key), "is missing"};
  within(fmt::format(".{}", key), [&] { read(*value, field); });
}

template <typename Field>
void ObjectReader::operator()(const char* key, std::optional<Field>& field) {
  keys_.emplace_back(key);
  if (object_.contains(key)) (*this)(key, field.emplace());
}

void ObjectReader::finish() const {
  for (const auto& [key, _] : object_) {
    if (std::ranges::find(keys_, key) == keys_.end()) {
      throw Misfit{fmt::format(".{}", std::string_view(key)), "is not known"};
    }
  }
}

void ColumnReader::operator()(const char* key, const auto&) {
  Column column;
  columns(key, column);
  if (length.value_or(column.length) != column.length) {
    throw Misfit{fmt::format(".{}", key),
                 fmt::format("has {} entries, another column {}", column.length, *length)};
  }
  length = column.length;
}

/// What older files lack, as it was when they were written. What is no object is left for the
/// reader to complain of.
void upgrade(json::value& document) {
  const auto inside = [](json::value* value, const char* key) {
    return value && value->is_object() ? value->get_object().if_contains(key) : nullptr;
  };
  const auto lacks = [](json::value* value, const char* key, json::value was) {
    if (value && value->is_object()) value->get_object().emplace(key, std::move(was));
  };
  const json::value* version = inside(&document, "schema_version");
  if (!version || (*version != 1 && *version != 2)) return;
  if (*version == 1) lacks(inside(&document, "context"), "simulated", "");
  json::value* comparisons = inside(&document, "comparisons");
  if (!comparisons || !comparisons->is_array()) return;
  for (json::value& comparison : comparisons->get_array()) {
    lacks(&comparison, "wait", name_of(Wait::spin));
    lacks(&comparison, "slow_down", 0.0);
    lacks(&comparison, "processes", 1);
    json::value* workload = inside(&comparison, "workload");
    lacks(workload, "host_memory", name_of(HostMemory::pinned));
    const PoolPolicy then;
    lacks(workload, "pool",
          {{"threshold", then.threshold},
           {"follow_events", then.follow_events},
           {"opportunistic", then.opportunistic},
           {"internal", then.internal},
           {"per_lane", then.per_lane},
           {"allocations", then.allocations}});
    json::value* measurements = inside(&comparison, "measurements");
    if (!measurements || !measurements->is_array()) continue;
    for (json::value& measurement : measurements->get_array()) {
      json::value* plan = inside(&measurement, "plan");
      lacks(plan, "maps_host", false);
      lacks(plan, "host_threads", 0);
      json::value* samples = inside(&measurement, "samples");
      const json::value* rounds = inside(samples, "round");
      if (!rounds || !rounds->is_array()) continue;
      lacks(samples, "process", json::array(rounds->get_array().size(), 0));
    }
  }
}

Results results_in(const json::value& document) {
  Results results;
  ObjectReader reader(document);
  std::string schema;
  reader("schema", schema);
  if (schema != results_schema) {
    throw Misfit{".schema", fmt::format("is \"{}\", not \"{}\"", schema, results_schema)};
  }
  std::uint32_t version = 0;
  reader("schema_version", version);
  if (version < 1 || version > results_schema_version) {
    throw Misfit{
        ".schema_version",
        fmt::format("is {}, this program reads 1 to {}: use the version that wrote the file",
                    version, results_schema_version)};
  }
  fields(reader, results);
  reader.finish();
  return results;
}

}  // namespace

Results from_json(const std::string& text) {
  boost::system::error_code error;
  json::parser parser;
  const std::size_t used = parser.write_some(text, error);
  if (!error && text.find_first_not_of(" \t\r\n", used) != text.npos) {
    error = json::error::extra_data;
  }
  if (error) {
    throw std::invalid_argument(
        fmt::format("results file, byte {}: no JSON: {}", used, error.message()));
  }
  try {
    json::value document = parser.release();
    upgrade(document);
    return results_in(document);
  } catch (const Misfit& misfit) {
    throw std::invalid_argument(fmt::format("results file: {} {}", misfit.place, misfit.what));
  }
}

}  // namespace trilane
