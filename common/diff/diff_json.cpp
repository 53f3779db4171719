#include "common/diff/diff_json.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include "common/diff/diff_words.hpp"
#include "common/json/pretty_json.hpp"
#include "common/results/files/results_io.hpp"

namespace trilane {
namespace {

namespace json = boost::json;

/// The context and workloads of a results file, without its samples.
json::value plain(const Results& results) {
  Results bare = results;
  for (Comparison& comparison : bare.comparisons) comparison.measurements.clear();
  return json::parse(to_json(bare));
}

json::value value_of(const Ratio& ratio) {
  return {{"estimate", ratio.estimate}, {"low", ratio.low}, {"high", ratio.high}};
}

json::array array_of(const std::vector<std::string>& texts) {
  return json::array(texts.begin(), texts.end());
}

json::value value_of(const Change& change) {
  json::object object{{"variant", change.variant},
                      {"verdict", name_of(change.verdict)},
                      {"message", change.message}};
  if (change.before_us) object["old_us"] = *change.before_us;
  if (change.now_us) object["new_us"] = *change.now_us;
  if (change.measured) object["measured"] = value_of(*change.measured);
  if (change.ratio) object["ratio"] = value_of(*change.ratio);
  return object;
}

json::value extent(const Comparison& comparison) {
  return {{"processes", comparison.processes}, {"rounds", comparison.rounds}};
}

json::value value_of(const WorkloadChange& workload) {
  const Results alone{.context = {}, .comparisons = {*workload.now}};
  const json::value shown = plain(alone).at("comparisons").at(0);
  json::array measurements;
  for (const Change& change : workload.changes) measurements.push_back(value_of(change));
  return {{"workload", shown.at("workload")},
          {"mode", shown.at("mode")},
          {"wait", shown.at("wait")},
          {"old", extent(*workload.before)},
          {"new", extent(*workload.now)},
          {"only_old", array_of(workload.only_before)},
          {"only_new", array_of(workload.only_now)},
          {"verdict", verdict(workload)},
          {"measurements", std::move(measurements)}};
}

json::value value_of(const RunFile& run) {
  const Results bare{.context = run.results.context, .comparisons = {}};
  return {{"file", run.path}, {"context", plain(bare).at("context")}};
}

}  // namespace

std::string to_json(const RunChange& runs) {
  json::array differences, comparisons;
  for (const auto& [what, before, now] : runs.differences) {
    differences.push_back({{"what", what}, {"old", before}, {"new", now}});
  }
  for (const WorkloadChange& workload : runs.workloads) comparisons.push_back(value_of(workload));
  return pretty({{"schema", runs_schema},
                 {"schema_version", runs_schema_version},
                 {"old", value_of(*runs.before)},
                 {"new", value_of(*runs.now)},
                 {"differences", std::move(differences)},
                 {"same_within", runs.same_within},
                 {"process_spread", runs.process_spread},
                 {"shared_by", runs.shared_by},
                 {"only_old", array_of(runs.only_before)},
                 {"only_new", array_of(runs.only_now)},
                 {"comparisons", std::move(comparisons)},
                 {"verdict", verdict(runs)}});
}

}  // namespace trilane
