#include "common/results/files/results_upgrade.hpp"

#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <span>

#include "common/json/json_write.hpp"
#include "common/results/results.hpp"

namespace trilane {
namespace {

namespace json = boost::json;

json::value* inside(json::value* value, const char* key) {
  return value && value->is_object() ? value->get_object().if_contains(key) : nullptr;
}

/// The entries of a list; none where there is no such list.
std::span<json::value> list_inside(json::value* value, const char* key) {
  json::value* const list = inside(value, key);
  if (!list || !list->is_array()) return {};
  return list->get_array();
}

/// Gives an object without the key the value that it had then.
void add_missing(json::value* object, const char* key, json::value then) {
  if (object && object->is_object()) object->get_object().emplace(key, std::move(then));
}

/// Version 2 says whether the times are simulated.
void from_1_to_2(json::value& document) {
  add_missing(inside(&document, "context"), "simulated", "");
}

/// Version 3 has host memory, pool policy, way of waiting, slow-down and processes.
void from_2_to_3(json::value& document) {
  for (json::value& comparison : list_inside(&document, "comparisons")) {
    add_missing(&comparison, "wait", value_of(Wait::spin));
    add_missing(&comparison, "slow_down", 0.0);
    add_missing(&comparison, "processes", 1);
    json::value* const workload = inside(&comparison, "workload");
    add_missing(workload, "host_memory", value_of(HostMemory::pinned));
    add_missing(workload, "pool", value_of(PoolPolicy{}));
    for (json::value& measurement : list_inside(&comparison, "measurements")) {
      json::value* const plan = inside(&measurement, "plan");
      add_missing(plan, "maps_host", false);
      add_missing(plan, "host_threads", 0);
      json::value* const samples = inside(&measurement, "samples");
      const std::size_t rounds = list_inside(samples, "round").size();
      add_missing(samples, "process", json::array(rounds, 0));
    }
  }
}

constexpr std::array steps{from_1_to_2, from_2_to_3};
static_assert(steps.size() + 1 == results_schema_version);

}  // namespace

void upgrade(json::value& document) {
  const json::value* const version = inside(&document, "schema_version");
  const bool known = version && version->is_int64() && version->get_int64() >= 1;
  const auto first = known ? static_cast<std::size_t>(version->get_int64() - 1) : steps.size();
  for (std::size_t i = first; i < steps.size(); ++i) steps[i](document);
}

}  // namespace trilane
