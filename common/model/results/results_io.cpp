#include "common/model/results/results_io.hpp"

#include <boost/algorithm/string/replace.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "common/base/json/document.hpp"
#include "common/base/json/json_values.hpp"

namespace trilane {
namespace {

namespace json = boost::json;

json::value* inside(json::value* value, const char* key) {
  return value && value->is_object() ? value->get_object().if_contains(key) : nullptr;
}

std::span<json::value> list_inside(json::value* value, const char* key) {
  json::value* const list = inside(value, key);
  if (!list || !list->is_array()) return {};
  return list->get_array();
}

/// Adds the key if it is missing, with the value that files of that version imply.
void add_missing(json::value* object, const char* key, json::value then) {
  if (object && object->is_object()) object->get_object().emplace(key, std::move(then));
}

/// Version 2 added the flag for simulated times.
void from_1_to_2(json::value& document) {
  add_missing(inside(&document, "context"), "simulated", "");
}

/// Version 3 added host memory, pool policy, way of waiting, slow-down and processes.
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

struct Shipped {
  std::string_view variant;
  Model model;
};

/// Returns the models of the variants that existed before plans stated them.
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

std::string_view variant_of(json::value* measurement) {
  const json::value* const name = inside(measurement, "variant");
  if (!name || !name->is_string()) return {};
  const std::string_view text = name->get_string();
  return text.substr(0, text.find(':'));
}

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
  add_missing(plan, "model", value_of(model));
}

/// Version 4 added the execution model to each plan.
void from_3_to_4(json::value& document) {
  for (json::value& comparison : list_inside(&document, "comparisons")) {
    for (json::value& measurement : list_inside(&comparison, "measurements")) {
      upgrade_model(&measurement);
    }
  }
}

/// Adds what the range of the ratio or break-even inside `record` covers.
void add_covers(json::value* record, const char* key, Covers covers) {
  add_missing(inside(record, key), "covers", value_of(covers));
}

/// Version 5 added:
/// - answers, doubts and the winners of the tiers, which derive() finds again,
/// - what ranges cover, the error of predictions and the host's speed, unknown in older files.
void from_4_to_5(json::value& document) {
  for (const char* name : {"answers", "doubts"}) add_missing(&document, name, json::array());
  const json::value* const profile = inside(inside(&document, "context"), "simulated");
  const bool simulated = profile && *profile != "";
  for (json::value& comparison : list_inside(&document, "comparisons")) {
    const json::value* const processes = inside(&comparison, "processes");
    const Covers covers = processes && *processes == 1 ? Covers::rounds : Covers::processes;
    add_missing(&comparison, "winners", json::array());
    add_missing(&comparison, "not_modelled", json::array());
    json::value* const advice = inside(&comparison, "advice");
    add_covers(advice, "ratio", covers);
    add_covers(advice, "break_even", covers);
    for (json::value& measurement : list_inside(&comparison, "measurements")) {
      add_covers(&measurement, "ratio", covers);
      add_covers(&measurement, "break_even", covers);
      if (simulated) add_missing(&measurement, "prediction", json::object());
      json::value* const samples = inside(&measurement, "samples");
      const std::size_t count = list_inside(samples, "round").size();
      add_missing(samples, "host_us", json::array(count, 0.0));
      add_missing(&measurement, "set_aside", value_of(std::vector<Sample>{}));
    }
  }
}

/// Version 6 added users' pipelines and gaps between chunks, absent otherwise.
void from_5_to_6(json::value&) {}

/// Version 7 added means, which derive() finds; earlier versions used medians.
void from_6_to_7(json::value& document) {
  for (json::value& comparison : list_inside(&document, "comparisons")) {
    for (json::value& measurement : list_inside(&comparison, "measurements")) {
      for (const char* clock : {"submit", "device", "wall"}) {
        json::value* const summary = inside(&measurement, clock);
        const json::value* const median = inside(summary, "median");
        if (median) add_missing(summary, "mean", *median);
      }
    }
  }
}

constexpr std::array steps{from_1_to_2, from_2_to_3, from_3_to_4,
                           from_4_to_5, from_5_to_6, from_6_to_7};
static_assert(steps.size() + 1 == results_schema_version);

/// Adds what a document of an older version lacks, with the values that applied when it was
/// written. Skips anything that is not an object, which the reader will report.
void upgrade(json::value& document) {
  const json::value* const version = inside(&document, "schema_version");
  const bool known = version && version->is_int64() && version->get_int64() >= 1;
  const auto first = known ? static_cast<std::size_t>(version->get_int64() - 1) : steps.size();
  for (std::size_t i = first; i < steps.size(); ++i) steps[i](document);
  // The first files of several GPUs lacked it.
  for (json::value& comparison : list_inside(&document, "comparisons")) {
    add_missing(inside(&comparison, "placement"), "one_process", false);
  }
}

constexpr Schema schema{"trilane-results", 1, results_schema_version};

/// Rounds every number in a list. Lists hold raw times.
void round_to_nanoseconds(json::value& value) {
  if (auto* object = value.if_object()) {
    for (auto& entry : *object) round_to_nanoseconds(entry.value());
  }
  if (auto* array = value.if_array()) {
    for (json::value& entry : *array) {
      if (auto* us = entry.if_double()) *us = to_nanoseconds(*us);
      round_to_nanoseconds(entry);
    }
  }
}

/// Quotes a field that contains a separator, and doubles quotes inside it (RFC 4180).
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return text;
  return '"' + boost::replace_all_copy(text, "\"", "\"\"") + '"';
}

std::string field(double us) {
  if (!std::isfinite(us)) {
    throw std::invalid_argument(fmt::format("a sample holds a time of {}", us));
  }
  return fmt::format("{:.3f}", us);
}

std::string predecessor(const Comparison& comparison, const Measurement& own,
                        const Sample& sample) {
  if (sample.after >= comparison.measurements.size()) return {};
  const Measurement& before = comparison.measurements[sample.after];
  return &before == &own ? std::string() : field(before.variant);
}

}  // namespace

std::string to_json(const Results& results) {
  json::value document = document_of(schema, results);
  round_to_nanoseconds(document);
  return pretty(document);
}

bool is_results(const std::string& text) { return schema_of(text) == schema.name; }

Results from_json(const std::string& text) {
  try {
    json::value document = parsed(text);
    upgrade(document);
    return record_in<Results>(document, schema);
  } catch (const Misfit& misfit) {
    throw std::invalid_argument("results file: " + in_words(misfit));
  }
}

std::string to_csv(const Results& results) {
  std::string csv =
      "preset,variant,status,process,round,after,submit_us,device_us,wall_us,simulated\n";
  for (const Comparison& comparison : results.comparisons) {
    for (const Measurement& m : comparison.measurements) {
      const auto start = fmt::format("{},{},{}", field(comparison.workload.label()),
                                     field(m.variant), name_of(m.status));
      const auto end = field(results.context.simulated) + '\n';
      if (m.samples.empty()) csv += start + ",,,,,,," + end;
      for (const Sample& sample : m.samples) {
        fmt::format_to(std::back_inserter(csv), "{},{},{},{},{},{},{},{}", start, sample.process,
                       sample.round, predecessor(comparison, m, sample), field(sample.submit_us),
                       field(sample.device_us), field(sample.wall_us), end);
      }
    }
  }
  return csv;
}

boost::json::object results_json_schema() { return json_schema_of<Results>(schema); }

}  // namespace trilane
