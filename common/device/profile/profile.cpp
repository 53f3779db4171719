#include "common/device/profile/profile.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "common/base/json/input_file.hpp"
#include "common/base/json/json_schema.hpp"
#include "common/base/json/pretty_json.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/quoting.hpp"

namespace trilane {

template <typename Entry>
struct EntryNames<std::array<Entry, stage_kinds>> {
  static constexpr auto& names = stage_names;
};

namespace {

constexpr Schema schema{"trilane-profile", 1, 1};

[[noreturn]] void refuse(const std::string& source, const std::string& what) {
  throw UsageError(
      fmt::format("{}: {}; give a device profile, as trilane calibrate writes it", source, what));
}

}  // namespace

std::string to_json(const Profile& profile) { return pretty(document_of(schema, profile)); }

Profile read_profile(const std::string& text, const std::string& source) {
  try {
    Profile profile = record_in<Profile>(parsed(text), schema);
    check(profile);
    return profile;
  } catch (const Misfit& misfit) {
    refuse(source, in_words(misfit));
  }
}

Profile load_profile(const std::string& path) {
  std::string text;
  try {
    text = content_of_input(path);
  } catch (const std::invalid_argument& error) {
    refuse("--profile " + in_quotes(path), error.what());
  }
  return read_profile(text, "--profile " + in_quotes(path));
}

boost::json::object profile_json_schema() { return json_schema_of<Profile>(schema); }

}  // namespace trilane
