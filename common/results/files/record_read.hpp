// Reading a document's objects and lists as the records of results.hpp.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/json/json_read.hpp"
#include "common/results/files/results_fields.hpp"

namespace trilane {

/// Records, and lists of them. Each throws a Misfit with the place inside of the value.
template <typename Record>
void read(const boost::json::value& value, Record& record);
template <typename Item>
void read(const boost::json::value& value, std::vector<Item>& list);

/// Lists that are objects in the file, each entry under its name.
void read(const boost::json::value& value, std::vector<Property>& list);
void read(const boost::json::value& value, std::vector<Count>& list);
void read(const boost::json::value& value, std::vector<Series>& list);
void read(const boost::json::value& value, std::vector<CallCost>& list);
void read(const boost::json::value& value, std::vector<Expectation>& list);

/// Samples are columns in the file, all of one length.
void read(const boost::json::value& value, std::vector<Sample>& samples);

/// Reads an object as the fields of a record, each of which must be there, and nothing else.
class ObjectReader {
 public:
  explicit ObjectReader(const boost::json::value& value) : object_(object_in(value)) {}

  template <typename Field>
  void operator()(const char* key, Field& field) {
    keys_.emplace_back(key);
    const boost::json::value* value = object_.if_contains(key);
    if (value == nullptr) throw Misfit{fmt::format(".{}", key), "is missing"};
    within(fmt::format(".{}", key), [&] { read(*value, field); });
  }

  /// An absent value has no key.
  template <typename Field>
  void operator()(const char* key, std::optional<Field>& field) {
    keys_.emplace_back(key);
    if (object_.contains(key)) (*this)(key, field.emplace());
  }

  void derived(const char* key, std::uint32_t number) {
    std::uint32_t found = 0;
    (*this)(key, found);
    if (found != number) {
      throw Misfit{fmt::format(".{}", key), fmt::format("is {} but must be {}", found, number)};
    }
  }

  /// Throws when there are keys that were not read.
  void finish() const {
    for (const auto& [key, _] : object_) {
      if (std::ranges::find(keys_, key) == keys_.end()) {
        throw Misfit{fmt::format(".{}", std::string_view(key)), "is not known"};
      }
    }
  }

 private:
  const boost::json::object& object_;
  std::vector<std::string> keys_;
};

template <typename Record>
void read(const boost::json::value& value, Record& record) {
  ObjectReader reader(value);
  fields(reader, record);
  reader.finish();
}

template <typename Item>
void read(const boost::json::value& value, std::vector<Item>& list) {
  for (const boost::json::value& entry : array_in(value)) {
    const std::size_t index = list.size();
    within(fmt::format("[{}]", index), [&] { read(entry, list.emplace_back()); });
  }
}

}  // namespace trilane
