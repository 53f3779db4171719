#include "common/results/files/results_upgrade.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

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

void upgrade_measurement(json::value* measurement) {
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
  if (!version || (*version != 1 && *version != 2)) return;
  if (*version == 1) lacks(inside(&document, "context"), "simulated", "");
  json::array* const comparisons = list_inside(&document, "comparisons");
  if (!comparisons) return;
  for (json::value& comparison : *comparisons) upgrade_comparison(&comparison);
}

}  // namespace trilane
