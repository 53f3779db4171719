#include <fmt/format.h>

#include <algorithm>
#include <boost/json/parser.hpp>
#include <boost/json/serialize.hpp>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>

#include "common/device/profile/profile_check.hpp"
#include "common/device/profile/profile_fields.hpp"
#include "common/json/json_read.hpp"
#include "common/text/exit_code.hpp"
#include "common/text/quoting.hpp"

namespace trilane {
namespace {

namespace json = boost::json;

/// A value in a message: long ones are cut, at the start of a character.
std::string shown(const json::value& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "an array";
  if (value.is_double()) return fmt::format("{}", value.get_double());
  std::string text = json::serialize(value);
  constexpr std::size_t most = 60;
  if (text.size() <= most) return text;
  std::size_t end = most;
  while ((static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

/// Runs `read`, which reads `value` at `place`: what does not fit gets both.
template <typename Read>
void at(const std::string& place, const json::value& value, Read read) {
  within(place, [&] {
    try {
      read();
    } catch (Misfit& error) {
      if (error.place.empty()) error.what += ": " + shown(value);
      throw;
    }
  });
}

void take(const json::value& value, bool& field) { read(value, field); }
void take(const json::value& value, std::uint32_t& field) { read(value, field); }
void take(const json::value& value, std::uint64_t& field) { read(value, field); }
void take(const json::value& value, std::string& field) { read(value, field); }

void take(const json::value& value, int& field) {
  std::uint32_t number = 0;
  read(value, number);
  if (number > std::uint32_t{std::numeric_limits<int>::max()}) misfit("is too large");
  field = static_cast<int>(number);
}

void take(const json::value& value, double& field) {
  read(value, field);
  if (field < 0) misfit("is negative");
}

void take(const json::value& value, std::map<std::string, double>& costs) {
  for (const auto& [key, entry] : object_in(value)) {
    at(fmt::format(".{}", std::string_view(key)), entry, [&] { take(entry, costs[key]); });
  }
}

template <typename Record>
void take(const json::value& value, Record& record);

template <typename Record>
void take(const json::value& value, std::vector<Record>& records) {
  for (const json::value& entry : array_in(value)) {
    const std::size_t index = records.size();
    at(fmt::format("[{}]", index), entry, [&] { take(entry, records.emplace_back()); });
  }
}

/// Reads an object as its fields, each of which must be there, and nothing else.
class ObjectReader {
 public:
  explicit ObjectReader(const json::value& value) : object_(object_in(value)) {}

  void operator()(const char* key, auto& field) {
    keys_.emplace_back(key);
    const json::value* value = object_.if_contains(key);
    const std::string place = fmt::format(".{}", key);
    if (value == nullptr) throw Misfit{place, "is missing"};
    at(place, *value, [&] { take(*value, field); });
  }

  void finish() const {
    for (const auto& [key, _] : object_) {
      if (std::ranges::find(keys_, std::string_view(key)) == keys_.end()) {
        throw Misfit{fmt::format(".{}", std::string_view(key)), "is not known"};
      }
    }
  }

 private:
  const json::object& object_;
  std::vector<std::string_view> keys_;
};

template <typename Entry>
void fields(ObjectReader& reader, std::array<Entry, stage_kinds>& table) {
  for (std::size_t kind = 0; kind < stage_kinds; ++kind) reader(stage_names[kind], table[kind]);
}

template <typename Record>
void take(const json::value& value, Record& record) {
  ObjectReader reader(value);
  fields(reader, record);
  reader.finish();
}

Profile profile_in(const json::value& document) {
  ObjectReader reader(document);
  std::string schema;
  reader("schema", schema);
  if (schema != profile_schema) {
    throw Misfit{".schema", fmt::format("is \"{}\", not \"{}\"", schema, profile_schema)};
  }
  std::uint32_t version = 0;
  reader("schema_version", version);
  if (version != profile_schema_version) {
    throw Misfit{".schema_version",
                 fmt::format("is {}, and this program reads {}", version, profile_schema_version)};
  }
  Profile profile;
  fields(reader, profile);
  reader.finish();
  check(profile);
  return profile;
}

[[noreturn]] void refuse(const std::string& source, const std::string& what) {
  throw UsageError(
      fmt::format("{}: {}; give a device profile, as trilane --calibrate writes it", source, what));
}

}  // namespace

Profile read_profile(const std::string& text, const std::string& source) {
  boost::system::error_code error;
  json::parser parser;
  const std::size_t used = parser.write_some(text, error);
  if (!error && text.find_first_not_of(" \t\r\n", used) != text.npos) {
    error = json::error::extra_data;
  }
  if (error) refuse(source, fmt::format("byte {} is no JSON: {}", used, error.message()));
  const json::value document = parser.release();
  Profile profile;
  try {
    at("", document, [&] { profile = profile_in(document); });
  } catch (const Misfit& misfit) {
    refuse(source, fmt::format("{} {}", misfit.place.empty() ? "it" : misfit.place, misfit.what));
  }
  return profile;
}

Profile load_profile(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) {  // which fails for a folder, and where nothing is in it
    refuse(in_quotes(path), errno != 0 ? std::strerror(errno) : "is empty");
  }
  return read_profile(text.str(), in_quotes(path));
}

}  // namespace trilane
