#include "common/base/json/document.hpp"
#include "common/base/json/json_values.hpp"
#include "common/explain/report/diff_runs.hpp"

namespace trilane {
namespace {

namespace json = boost::json;

constexpr Schema schema{"trilane-comparison", 1, 1};

// These point into results, of which the file has only a part, under other names.
static_assert(has_members<WorkloadChange, 5> && has_members<RunChange, 8> &&
                  has_members<DiffRequest, 4>,
              "decide below what the file has of the new member");

json::value extent_json(const Comparison& comparison) {
  return {{"processes", comparison.processes}, {"rounds", comparison.rounds}};
}

json::value entry_of(const WorkloadChange& workload) {
  const Comparison& now = *workload.now;
  return {{"workload", value_of(now.workload)},
          {"mode", value_of(now.mode)},
          {"wait", value_of(now.wait)},
          {"old", extent_json(*workload.before)},
          {"new", extent_json(now)},
          {"only_old", value_of(workload.only_before)},
          {"only_new", value_of(workload.only_now)},
          {"verdict", verdict(workload)},
          {"measurements", value_of(workload.changes)}};
}

json::value entry_of(const RunFile& run) {
  return {{"file", readable(run.path, text_range)}, {"context", value_of(run.results.context)}};
}

}  // namespace

std::string to_json(const RunChange& runs) try {
  json::array differences, comparisons;
  for (const auto& [what, before, now] : runs.differences) {
    differences.push_back({{"what", readable(what, text_range)},
                           {"old", readable(before, text_range)},
                           {"new", readable(now, text_range)}});
  }
  for (const WorkloadChange& workload : runs.workloads) comparisons.push_back(entry_of(workload));
  return pretty({{"schema", schema.name},
                 {"schema_version", schema.version},
                 {"old", entry_of(*runs.before)},
                 {"new", entry_of(*runs.now)},
                 {"differences", std::move(differences)},
                 {"same_within", runs.request.same_within},
                 {"process_spread", runs.request.process_spread},
                 {"over_runs", runs.request.over_runs},
                 {"shared_by", runs.shared_by},
                 {"only_old", value_of(runs.only_before)},
                 {"only_new", value_of(runs.only_now)},
                 {"comparisons", std::move(comparisons)},
                 {"verdict", verdict(runs)}});
} catch (const Misfit& misfit) {
  throw std::invalid_argument(in_words(misfit));
}

}  // namespace trilane
