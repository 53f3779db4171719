#include "common/options/chosen_workloads.hpp"

#include <algorithm>
#include <array>

#include "common/options/choice.hpp"
#include "common/options/knobs.hpp"
#include "common/options/pool_policy.hpp"
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

HostMemory read_host_memory(const std::string& option, const std::string& text) {
  using enum HostMemory;
  constexpr std::array kinds{pinned, pageable, write_combined, registered};
  return kinds[parse_choice(option, text, {"pinned", "pageable", "write-combined", "registered"})];
}

/// With several policies the workload keeps the default: who is measured under which is for
/// contenders() to say.
PoolPolicy read_pool(const Given& given) {
  const auto policies = given.read("pool", parse_policies);
  return policies && policies->size() == 1 ? policies->front().policy : PoolPolicy{};
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

std::vector<Workload> turned_workloads(const Given& given) {
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

}  // namespace

std::vector<Workload> chosen_workloads(const Given& given) {
  std::vector<Workload> workloads = turned_workloads(given);
  for (Workload& workload : workloads) {
    workload.host_memory = given.read("host-memory", read_host_memory).value_or(HostMemory::pinned);
    workload.pool = read_pool(given);
  }
  return workloads;
}

}  // namespace trilane
