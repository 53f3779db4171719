// Reads the options that name settings of whole processes, and GPUs.

#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/commands/options/run_options.hpp"
#include "common/measure/gpu/runtime/device.hpp"

namespace trilane {
namespace {

constexpr int most_devices = 1024;

template <typename Enum, std::size_t size>
std::vector<Enum> named(const Given& given, const char* option, const std::array<Enum, size>& all) {
  std::vector<std::string> known;
  for (const Enum value : all) known.push_back(name_of(value));
  const auto names = given.some_of(option, known).value_or(std::vector{known.front()});
  return transformed(
      names, [&](const std::string& name) { return all[parse_choice(option, name, known)]; });
}

/// Returns the numbers of --device N,..., each once, in the order given; "all" means each GPU here.
std::vector<int> read_devices(const Given& given) {
  const std::string text = given.text("device").value_or(given.has("split") ? "all" : "0");
  std::vector<int> devices;
  const int count = names_several_devices(given) ? device_count() : most_devices;
  if (text == "all") {
    for (int device = 0; device < count; ++device) devices.push_back(device);
    return devices;
  }
  for (const std::string& word : split(text, ',')) {
    const auto number = static_cast<int>(parse_count("--device", word, 0, most_devices - 1));
    if (number >= count) {
      refuse("--device", word,
             fmt::format("is not a GPU here: use 0{}",
                         count == 1 ? "" : fmt::format(" to {}", count - 1)));
    }
    if (!includes(devices, number)) devices.push_back(number);
  }
  if (devices.size() > Company::most) {
    refuse("--device", text, fmt::format("names more than {} GPUs", Company::most));
  }
  return devices;
}

std::vector<Together> read_together(const Given& given, Effort effort, std::size_t devices) {
  const std::array all{Together::alone, Together::processes, Together::threads};
  if (given.has("split")) {
    given.forbid("together", "does not apply to --split; leave one out");
    return {};
  }
  if (given.has("together")) return named(given, "together", all);
  if (devices == 1) return {};
  return {all.begin(), effort == Effort::predict ? all.end() - 1 : all.end()};
}

}  // namespace

std::vector<Setting> placed_settings(const Given& given, Effort effort) {
  const std::vector<int> devices = read_devices(given);
  const std::vector<Together> ways = read_together(given, effort, devices.size());
  std::vector<Setting> all;
  const auto several = static_cast<std::uint32_t>(devices.size());
  for (Setting setting : chosen_settings(given)) {
    if (ways.empty()) all.push_back((setting.devices = devices, setting));
    for (const Together way : ways) {
      setting.together = way;
      setting.gpus = way == Together::alone ? 1 : several;
      setting.devices = devices;
      if (way == Together::threads) all.push_back(setting);
      for (const int device : way == Together::threads ? std::vector<int>{} : devices) {
        setting.devices = {device};
        all.push_back(setting);
      }
    }
  }
  return all;
}

std::vector<Setting> chosen_settings(const Given& given) {
  using enum HostMemory;
  const auto memories =
      named(given, "host-memory", std::array{pinned, pageable, write_combined, registered});
  const auto waits = named(given, "wait", std::array{Wait::spin, Wait::yield, Wait::block});
  std::vector<Setting> settings;
  for (const HostMemory memory : memories) {
    for (const Wait wait : waits) settings.push_back({.host_memory = memory, .wait = wait});
  }
  return settings;
}

bool names_several_devices(const Given& given) {
  const std::string text = given.text("device").value_or("");
  return text == "all" || text.find(',') != std::string::npos || given.has("split");
}

DeviceOptions read_device(const Given& given) {
  return read_device(given, given.count("device", 0, most_devices - 1).value_or(0));
}

}  // namespace trilane
