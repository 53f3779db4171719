#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "common/device/profile/profile_fields.hpp"
#include "common/json/pretty_json.hpp"

namespace trilane {
namespace {

namespace json = boost::json;

template <typename Record>
json::object object_of(const Record& record);

json::value value_of(bool flag) { return flag; }
json::value value_of(int number) { return number; }
json::value value_of(std::uint64_t number) { return number; }
json::value value_of(double number) { return number; }
json::value value_of(const std::string& text) { return json::string(text); }

json::value value_of(const std::map<std::string, double>& costs) {
  json::object object;
  for (const auto& [name, us] : costs) object[name] = us;
  return object;
}

template <typename Record>
json::value value_of(const std::vector<Record>& records);

template <typename Entry>
json::value value_of(const std::array<Entry, stage_kinds>& table) {
  json::object object;
  for (std::size_t kind = 0; kind < stage_kinds; ++kind) {
    object[stage_names[kind]] = value_of(table[kind]);
  }
  return object;
}

template <typename Record>
json::value value_of(const std::vector<Record>& records) {
  json::array array;
  for (const Record& record : records) array.push_back(object_of(record));
  return array;
}

template <typename Record>
json::value value_of(const Record& record) {
  return object_of(record);
}

struct ObjectWriter {
  json::object object{};
  void operator()(const char* key, const auto& field) { object[key] = value_of(field); }
};

template <typename Record>
json::object object_of(const Record& record) {
  ObjectWriter writer;
  fields(writer, record);
  return std::move(writer.object);
}

}  // namespace

std::string to_json(const Profile& profile) {
  ObjectWriter writer;
  writer("schema", std::string(profile_schema));
  writer("schema_version", std::uint64_t{profile_schema_version});
  fields(writer, profile);
  return pretty(writer.object);
}

}  // namespace trilane
