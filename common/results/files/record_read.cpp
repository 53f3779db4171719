#include "common/results/files/record_read.hpp"

namespace trilane {
namespace {

namespace json = boost::json;

void read_entry(const json::value& value, Property& field) { read(value, field.second); }
void read_entry(const json::value& value, Count& field) { read(value, field.value); }
void read_entry(const json::value& value, CallCost& field) { read(value, field.us); }
void read_entry(const json::value& value, Series& field) { read(value, field.values); }
void read_entry(const json::value& value, Expectation& field) { read(value, field); }

template <typename Named>
void read_named(const json::value& value, std::vector<Named>& list, std::string Named::*name) {
  for (const auto& [key, entry] : object_in(value)) {
    list.emplace_back().*name = std::string(key);
    within(fmt::format(".{}", std::string_view(key)), [&] { read_entry(entry, list.back()); });
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
  void operator()(const char* key, const auto&) {
    Column column;
    columns(key, column);
    if (length.value_or(column.length) != column.length) {
      throw Misfit{fmt::format(".{}", key),
                   fmt::format("has {} entries, another column {}", column.length, *length)};
    }
    length = column.length;
  }
};

}  // namespace

void read(const json::value& value, std::vector<Property>& list) {
  read_named(value, list, &Property::first);
}
void read(const json::value& value, std::vector<Count>& list) {
  read_named(value, list, &Count::name);
}
void read(const json::value& value, std::vector<CallCost>& list) {
  read_named(value, list, &CallCost::name);
}
void read(const json::value& value, std::vector<Series>& list) {
  read_named(value, list, &Series::name);
}
void read(const json::value& value, std::vector<Expectation>& list) {
  read_named(value, list, &Expectation::name);
}

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

}  // namespace trilane
