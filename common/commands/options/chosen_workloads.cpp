#include "common/commands/options/chosen_workloads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "common/commands/options/chosen_settings.hpp"
#include "common/sweep/map/axis.hpp"
#include "common/text/choice.hpp"
#include "common/text/exit_code.hpp"
#include "common/text/quoting.hpp"
#include "common/text/size.hpp"
#include "common/workload/knobs.hpp"
#include "common/workload/pool_policy.hpp"

namespace trilane {
namespace {

std::uint64_t read_chunks(const std::string& option, const std::string& text) {
  return parse_count(option, text, 1, max_chunks);
}

std::vector<double> read_numbers_of_chunks(const std::string& option, const std::string& text) {
  return parse_values(option, "chunks", text);
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

/// With several policies the workload keeps the default: who is measured under which is for
/// contenders() to say.
PoolPolicy read_pool(const Given& given) {
  const auto policies = given.read("pool", parse_policies);
  return policies && policies->size() == 1 ? policies->front().policy : PoolPolicy{};
}

/// What no knob is: how its memory is taken.
Workload with_memory(Workload workload, const Given& given) {
  workload.host_memory = chosen_settings(given).front().host_memory;
  workload.pool = read_pool(given);
  return workload;
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

/// The presets that were named; all by default.
std::vector<Workload> named_presets(const Given& given) {
  std::vector<std::string> names;
  for (const Workload& preset : presets()) names.push_back(preset.name);
  const auto chosen =
      given
          .read("preset", [&](const std::string& option,
                              const std::string& text) { return parse_names(option, text, names); })
          .value_or(names);
  std::vector<Workload> named;
  for (const Workload& preset : presets()) {
    if (std::ranges::find(chosen, preset.name) != chosen.end()) named.push_back(preset);
  }
  return named;
}

Knobs knobs_but_chunks(const Given& given) {
  return {.size = given.read("size", parse_size),
          .chunks = {},
          .chunk_size = given.read("chunk-size", parse_size),
          .result_size = given.read("result-size", parse_size),
          .lanes = given.read("lanes", small_count(max_lanes)),
          .depth = given.read("depth", small_count(max_depth)),
          .rounds = given.read("rounds", small_count(max_rounds)),
          .order = given.read("order", read_order)};
}

/// The knobs once for each number of chunks.
std::vector<Knobs> knobs_of_each(const Given& given) {
  const auto numbers = given.read("chunks", read_numbers_of_chunks);
  if (!numbers) return {knobs_but_chunks(given)};
  std::vector<Knobs> all(numbers->size(), knobs_but_chunks(given));
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].chunks = static_cast<std::uint64_t>((*numbers)[i]);
  }
  return all;
}

}  // namespace

Knobs read_knobs(const Given& given) {
  Knobs knobs = knobs_but_chunks(given);
  knobs.chunks = given.read("chunks", read_chunks);
  return knobs;
}

std::vector<Workload> chosen_workloads(const Given& given) {
  const std::vector<Knobs> all_knobs = knobs_of_each(given);
  const bool knobs_given = any_knob(given);
  const bool custom = knobs_given && !given.has("preset");
  std::vector<Workload> workloads;
  for (const Workload& base : custom ? std::vector{custom_base()} : named_presets(given)) {
    for (const Knobs& knobs : all_knobs) {
      workloads.push_back(turned(with_memory(base, given), knobs));
      workloads.back().modified = knobs_given && !custom;
    }
  }
  return workloads;
}

Workload sweep_base(const Given& given) {
  if (!given.has("preset")) return with_memory(custom_base(), given);
  const std::vector<Workload> named = named_presets(given);
  if (named.size() == 1) return with_memory(named.front(), given);
  throw UsageError(fmt::format("--preset {}: --sweep turns the knobs of one workload; name one",
                               in_quotes(*given.text("preset"))));
}

}  // namespace trilane
