#include "common/results/files/results_upgrade.hpp"

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <string_view>

#include "common/results/files/results_io.hpp"

namespace trilane {
namespace {

namespace json = boost::json;

json::value* inside(json::value* value, const char* key) {
  return value && value->is_object() ? value->get_object().if_contains(key) : nullptr;
}

json::array* list_inside(json::value* value, const char* key) {
  json::value* const list = inside(value, key);
  return list ? list->if_array() : nullptr;
}

/// `was`: the value where the object has none.
void lacks(json::value* value, const char* key, json::value was) {
  if (value && value->is_object()) value->get_object().emplace(key, std::move(was));
}

void upgrade_workload(json::value* workload) {
  lacks(workload, "host_memory", name_of(HostMemory::pinned));
  const PoolPolicy then;
  lacks(workload, "pool",
        {{"threshold", then.threshold},
         {"follow_events", then.follow_events},
         {"opportunistic", then.opportunistic},
         {"internal", then.internal},
         {"per_lane", then.per_lane},
         {"allocations", then.allocations}});
}

struct Shipped {
  std::string_view variant;
  Model model;
};

/// The models of the variants that there were when plans did not state them.
const Shipped* shipped(std::string_view variant) {
  using enum Issuer;
  using enum Chaining;
  using enum Mover;
  using From = ScratchSource;
  static constexpr std::array all{
      Shipped{"serial", {host_waiting, one_stream, From::lane, engines_per_chunk}},
      Shipped{"streams", {host, lanes, From::lane, engines_per_chunk}},
      Shipped{"engines", {host, engines, From::lane, engines_per_chunk}},
      Shipped{"threads", {host_threads, lanes, From::lane, engines_per_chunk}},
      Shipped{"graph", {graph, lanes, From::lane, engines_per_chunk}},
      Shipped{"graph_built", {graph, data_edges, From::lane, engines_per_chunk}},
      Shipped{"graph_update", {graph_updated, lanes, From::lane, engines_per_chunk}},
      Shipped{"graph_set", {graph_set, data_edges, From::lane, engines_per_chunk}},
      Shipped{"graph_coalesced", {graph, lanes, From::pass, engines_per_pass}},
      Shipped{"pool", {host, lanes, From::pool, engines_per_chunk}},
      Shipped{"pool_trim", {host, lanes, From::trimmed_pool, engines_per_chunk}},
      Shipped{"malloc", {host, lanes, From::cuda_malloc, engines_per_chunk}},
      Shipped{"graph_pool", {graph, lanes, From::graph_nodes, engines_per_chunk}},
      Shipped{"streams_kernels", {host, lanes, From::lane, kernels}},
      Shipped{"graph_kernels", {graph, lanes, From::lane, kernels}},
      Shipped{"graph_fused", {graph, lanes, From::none, fused_per_chunk}},
      Shipped{"fused", {host, one_stream, From::none, fused_per_pass}}};
  const auto found = std::ranges::find(all, variant, &Shipped::variant);
  return found == all.end() ? nullptr : &*found;
}

/// The variant's name up to a colon, behind which a pool policy stands.
std::string_view variant_of(json::value* measurement) {
  const json::value* const name = inside(measurement, "variant");
  if (!name || !name->is_string()) return {};
  const std::string_view text = name->get_string();
  return text.substr(0, text.find(':'));
}

/// Whether the plan expects a pool that keeps nothing when the host waits.
bool trims(json::value* plan) {
  const json::value* const value =
      inside(inside(inside(plan, "facts"), "release threshold"), "value");
  return value && *value == 0;
}

void upgrade_model(json::value* measurement) {
  const Shipped* const variant = shipped(variant_of(measurement));
  if (!variant) return;
  json::value* const plan = inside(measurement, "plan");
  Model model = variant->model;
  if (model.scratch == ScratchSource::pool && trims(plan)) {
    model.scratch = ScratchSource::trimmed_pool;
  }
  lacks(plan, "model",
        {{"issuer", name_of(model.issuer)},
         {"chaining", name_of(model.chaining)},
         {"scratch", name_of(model.scratch)},
         {"mover", name_of(model.mover)}});
}

void upgrade_measurement(json::value* measurement) {
  upgrade_model(measurement);
  json::value* const plan = inside(measurement, "plan");
  lacks(plan, "maps_host", false);
  lacks(plan, "host_threads", 0);
  json::value* const samples = inside(measurement, "samples");
  if (const json::array* rounds = list_inside(samples, "round")) {
    lacks(samples, "process", json::array(rounds->size(), 0));
  }
}

void upgrade_comparison(json::value* comparison) {
  lacks(comparison, "wait", name_of(Wait::spin));
  lacks(comparison, "slow_down", 0.0);
  lacks(comparison, "processes", 1);
  upgrade_workload(inside(comparison, "workload"));
  json::array* const measurements = list_inside(comparison, "measurements");
  if (!measurements) return;
  for (json::value& measurement : *measurements) upgrade_measurement(&measurement);
}

}  // namespace

void upgrade(json::value& document) {
  const json::value* const version = inside(&document, "schema_version");
  if (!version || (*version != 1 && *version != 2 && *version != 3)) return;
  if (*version == 1) lacks(inside(&document, "context"), "simulated", "");
  json::array* const comparisons = list_inside(&document, "comparisons");
  if (!comparisons) return;
  for (json::value& comparison : *comparisons) upgrade_comparison(&comparison);
}

}  // namespace trilane
