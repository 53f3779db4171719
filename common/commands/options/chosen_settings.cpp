#include <array>

#include "common/base/text/choice.hpp"
#include "common/commands/options/option_parts.hpp"

namespace trilane {
namespace {

template <typename Enum, std::size_t size>
std::vector<Enum> named(const Given& given, const char* option, const std::array<Enum, size>& all) {
  std::vector<std::string> known;
  for (const Enum value : all) known.push_back(name_of(value));
  const auto names = given.some_of(option, known).value_or(std::vector{known.front()});
  std::vector<Enum> values;
  for (const std::string& name : names) values.push_back(all[parse_choice(option, name, known)]);
  return values;
}

}  // namespace

std::vector<Setting> chosen_settings(const Given& given) {
  using enum HostMemory;
  const auto memories =
      named(given, "host-memory", std::array{pinned, pageable, write_combined, registered});
  const auto waits = named(given, "wait", std::array{Wait::spin, Wait::yield, Wait::block});
  std::vector<Setting> settings;
  for (const HostMemory memory : memories) {
    for (const Wait wait : waits) settings.push_back({memory, wait});
  }
  return settings;
}

}  // namespace trilane
