// Reads the options that name settings of whole processes and GPUs, and those of a sweep.
#include "common/base/text/exit_code.hpp"
#include "common/base/text/size.hpp"
#include "common/commands/options/run_options.hpp"
#include "common/measure/gpu/runtime/device.hpp"
#include "common/model/variant/variant.hpp"

namespace trilane {
namespace {

constexpr int most_devices = 1024;

template <typename Enum, std::size_t size>
std::vector<Enum> named(const Given& given, const char* option, const std::array<Enum, size>& all) {
  const auto known = transformed(all, [](Enum value) { return std::string(name_of(value)); });
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
      refuse("--device", word, "is not a GPU here: use 0{}",
             count == 1 ? "" : fmt::format(" to {}", count - 1));
    }
    if (!includes(devices, number)) devices.push_back(number);
  }
  if (devices.size() > Company::most) {
    refuse("--device", text, "names more than {} GPUs", Company::most);
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

void check_axes(const Given& given, const std::vector<std::string>& texts,
                const SweepRequest& request) {
  std::vector<std::string> knobs{request.columns.knob};
  if (request.rows) {
    if (request.rows->knob == knobs.front()) {
      refuse("sweep", texts[1], "sweeps {} a second time; name another knob", knobs.front());
    }
    knobs.push_back(request.rows->knob);
  }
  for (const std::string& knob : knobs) {
    const std::string opposite = knob == "kernel-time" ? "rounds"
                                 : knob == "rounds"    ? "kernel-time"
                                                       : knob;
    for (const std::string& option : {knob, opposite}) {
      given.forbid(option, fmt::format("the sweep gives {} its values; leave one out", knob));
    }
    if (opposite != knob && includes(knobs, opposite)) {
      refuse("sweep", texts[1],
             "kernel-time chooses the rounds that the other knob sets; leave one out");
    }
  }
}

/// Returns the words that define the map, without time, number of measurements and file.
std::string command_of(const Given& given) {
  constexpr std::array others{"json", "force", "time", "processes", "markdown"};
  std::string command = fmt::format("{}", fmt::join(given.operands(), " "));
  for (const auto& [name, text] : given.all()) {
    if (includes(others, name)) continue;
    command += fmt::format(" --{}{}{}", name, text.empty() ? "" : " ", text);
  }
  return command;
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

SweepRequest read_sweep(const Given& given) {
  const std::vector<std::string>& texts = given.operands();
  SweepRequest request{
      .columns = parse_axis("sweep", texts[0]),
      .base = sweep_base(given),
      .knobs = read_knobs(given),
      .kernel_time_us = given.time_us("kernel-time", max_kernel_time_us).value_or(0),
      .command = command_of(given)};
  if (texts.size() > 1) request.rows = parse_axis("sweep", texts[1]);
  check_axes(given, texts, request);
  return request;
}

std::vector<std::string> main_variants(const std::vector<std::string>& known) {
  const std::vector<std::string> main{"streams",         "engines",     "graph",
                                      "graph_coalesced", "batch",       "pool",
                                      "graph_kernels",   "graph_fused", "fused"};
  std::vector<std::string> chosen = known;
  std::erase_if(chosen, [&](const std::string& name) { return !includes(main, name); });
  return chosen.empty() ? known : chosen;
}

std::optional<std::vector<std::string>> variants_of_tier(const Given& given) {
  // In the order of the tiers, twice: abbreviated, and as results files and pages have it.
  const std::vector<std::string> words{"same", "moved", "rewritten", "same operations",
                                       "moved together"};
  const auto text = given.text("tier");
  if (!text) return std::nullopt;
  given.forbid("variant", "names variants, and --tier a whole tier; leave one out");
  const auto& tiers = enumerators<Tier>;
  const Tier tier = tiers[parse_choice("--tier", *text, words) % tiers.size()];
  std::vector<std::string> names = names_of_tier(tier);
  if (names.empty()) {
    refuse("--tier", *text, "has no variant in this program; name some with --variant");
  }
  return names;
}

}  // namespace trilane
