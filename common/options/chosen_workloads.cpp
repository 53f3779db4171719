#include "common/options/chosen_workloads.hpp"

#include <algorithm>
#include <array>

#include "common/options/choice.hpp"
#include "common/options/knobs.hpp"
#include "common/options/size.hpp"

namespace trilane {
namespace {

auto count(std::uint64_t high) {
  return [=](const std::string& option, const std::string& text) {
    return parse_count(option, text, 1, high);
  };
}

auto small_count(std::uint32_t high) {
  return [=](const std::string& option, const std::string& text) {
    return static_cast<std::uint32_t>(parse_count(option, text, 1, high));
  };
}

Order read_order(const std::string& option, const std::string& text) {
  constexpr std::array orders{Order::depth_first, Order::breadth_first};
  return orders[parse_choice(option, text, {"depth", "breadth"})];
}

Knobs read_knobs(const Given& given) {
  return {.size = given.read("size", parse_size),
          .chunks = given.read("chunks", count(max_chunks)),
          .chunk_size = given.read("chunk-size", parse_size),
          .result_size = given.read("result-size", parse_size),
          .lanes = given.read("lanes", small_count(1024)),
          .depth = given.read("depth", small_count(10'000)),
          .rounds = given.read("rounds", small_count(1'000'000'000)),
          .order = given.read("order", read_order)};
}

bool any_knob(const Given& given) {
  constexpr std::array names{"size",  "chunks", "chunk-size",  "result-size", "lanes",
                             "depth", "rounds", "kernel-time", "order"};
  return std::ranges::any_of(names, [&](const char* name) { return given.has(name); });
}

Workload custom_base() {
  Workload base = *std::ranges::find(presets(), "balanced", &Workload::name);
  base.name = "custom";
  return base;
}

}  // namespace

std::vector<Workload> chosen_workloads(const Given& given) {
  const Knobs knobs = read_knobs(given);
  const bool knobs_given = any_knob(given);
  if (knobs_given && !given.has("preset")) return {turned(custom_base(), knobs)};

  std::vector<std::string> names;
  for (const Workload& preset : presets()) names.push_back(preset.name);
  const auto chosen =
      given
          .read("preset", [&](const std::string& option,
                              const std::string& text) { return parse_names(option, text, names); })
          .value_or(names);
  std::vector<Workload> workloads;
  for (const Workload& preset : presets()) {
    if (std::ranges::find(chosen, preset.name) == chosen.end()) continue;
    workloads.push_back(turned(preset, knobs));
    workloads.back().modified = knobs_given;
  }
  return workloads;
}

}  // namespace trilane
