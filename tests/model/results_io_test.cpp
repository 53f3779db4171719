// The results file: everything written can be read, and nothing else.
#include "common/model/results/results_io.hpp"

#include "common/base/json/json_values.hpp"
#include "common/base/json/members.hpp"
#include "tests/base/refusal.hpp"

BOOST_AUTO_TEST_SUITE(results_io)

const double not_a_number = std::numeric_limits<double>::quiet_NaN();
const double infinite = std::numeric_limits<double>::infinity();

Workload full_workload() {
  return {.name = "launch",
          .modified = true,
          .bytes = 1020,
          .chunk_bytes = 256,
          .result_bytes = 64,
          .lanes = 3,
          .depth = 4,
          .rounds = 5,
          .order = Order::breadth_first,
          .host_memory = HostMemory::write_combined,
          .pool = {1u << 20, false, true, true, true, 2}};
}

Measurement full_measurement() {
  Measurement m;
  m.variant = "graph \"quoted\", with a comma";
  m.status = Status::ok;
  m.message = "\"quoted\" and a \\";
  m.plan = {.model = {Issuer::graph_set, Chaining::data_edges, ScratchSource::none, Mover::kernels},
            .calls = {{"cudaGraphLaunch", 1}, {"cudaEventRecord", 2}},
            .nodes = {{"kernel", 16}, {"edges", 60}},
            .facts = {{"kernel nodes", 16, false}, {"reserved bytes", 1ull << 63, true}},
            .scratch_bytes = 4096,
            .streams = 3,
            .host_threads = 4,
            .blocks = true,
            .needs_pools = true,
            .maps_host = true};
  m.evidence = {{"kernel nodes", 16}, {"reserved bytes", 33554432}};
  m.setup_us = 1234.5678;
  m.first_pass_us = 1e-7;
  m.teardown_us = 3e10;
  m.checked_passes = 7;
  m.dropped_after = 6;
  m.samples = {{1.2345678, 2, 3.0005, 0, 1, 0}, {0.001, 1234567.891, 1e9, 1, 0, 1}};
  m.submit = Summary{2.5, 3, 2, 4, 5, 1};
  m.device = Summary{3.25, 3.5, 2.5, 4.5, 5.5, 1.5};
  m.wall = Summary{0.25, 1.0 / 3, 1e-300, 2.0 / 3, 8e10, 0};
  m.ratio = Ratio{0.30000000000000004, 0.1, 123456.789, Covers::processes};
  m.prediction = Prediction{1.25, 2.5};
  m.price = Price{.setup_us = {1.0004, 2},
                  .phases = {{"capture", {0.5, 1}}, {"other", {0.5, 1}}},
                  .passes_us = {{30, 31}, {20, 21}},
                  .priming_us = {4},
                  .teardown_us = {5, 6},
                  .device_bytes = {1ull << 40, 0},
                  .pool_used_high_bytes = 7,
                  .pool_reserved_high_bytes = 33554432,
                  .graph_reserved_bytes = 8};
  m.break_even =
      BreakEven{Pays::later, 3.25, 3, 4.5, Crossing{15, 20, 3.125, 3, 3.5}, Covers::model_error};
  m.bound_us = 70.5;
  m.bound_by = Limiter::copy_in;
  m.efficiency = 0.55;
  return m;
}

Results full_results() {
  Comparison c;
  c.workload = full_workload();
  c.mode = Mode::throughput;
  c.batch = 8;
  c.wait = Wait::yield;
  c.reference = "graph \"quoted\", with a comma";
  c.seed = 18446744073709551615u;
  c.processes = 2;
  c.slow_down = 0.01;
  c.requested_kernel_us = 12.5;
  c.stopped = "precision";
  c.rounds = 2;
  c.seconds = 8.25;
  c.limit = Limit{55.1, 54.9, 48.2, 48.3, 76.1, 1.9, 3.4, 77.2, 80, 5.5, 81};
  c.limit->graph_work_us = 4.5;
  c.limit->bound_us = 5466.25;
  c.limit->serial_us = 12000;
  c.limit->bound_by = Limiter::sms;
  c.limit->one_engine_us = 9727.5;
  c.limit->copy_engines = 3;
  c.limit->calls_us = {{"cudaMemcpyAsync", 1.25}, {"cudaFreeAsync", 0.5}};
  c.limit->copies_in = CopyCost{2.5, 18.75};
  c.limit->copies_out = CopyCost{1.5, 19};
  c.limit->best = BestCut{71, 5300.5};
  c.limit->whole = WholePass{1, 2, 3, 4, 5.25};
  c.limit->other = OtherCut{1024, 512, {.graph_work_us = 6.5}};
  c.regime = "held: 90% of the time";
  c.regime_held = false;
  c.measurements = {full_measurement(), Measurement{}};
  c.not_modelled = {"one thing", "another"};
  c.winners = {{Tier::moved_together, "graph", Ratio{0.5, 0.4, 0.6}, {"a", "b"}},
               {Tier::rewritten, "fused", {}, {}}};
  c.verdict = "launch: use graph.";
  c.advice = Advice{"graph",
                    "streams",
                    Ratio{0.5, 0.4, 0.6},
                    BreakEven{Pays::at_once, 0, 0, {}, {}},
                    4096,
                    "SMs",
                    0.75,
                    "96 of its 128 us",
                    "--lanes 8",
                    NextStep{Knob::lanes, 8, 96.5}};
  Context context{"NVIDIA H200 (profile of 2026-11-21)",
                  "0.1.0",
                  "abc",
                  "Release",
                  "trilane --json x",
                  "2025-01-01T00:00:00Z",
                  "later",
                  {{"cpu", "some CPU"}, {"cores", "2"}},
                  {{"CUDA_X", ""}},
                  {{"name", "GPU"}},
                  {{"sm_clock", "1980 MHz"}},
                  {{"sm_clock", "1900 MHz"}},
                  {"4711 other"},
                  {"no NVML", "no \u00b5"}};
  return {context, {{"Graph?", "Yes."}, {"Pool?", "No \u00b5."}}, {"one process"}, {c}};
}

Results bare_results() {
  Comparison c;
  c.workload = presets().front();
  c.measurements = {Measurement{}};
  return {{}, {}, {}, {c}};
}

/// Returns `text` as version 2 wrote it, under another number.
std::string as_version_2(const std::string& text, int version) {
  boost::json::value file = boost::json::parse(text);
  file.at("schema_version") = version;
  for (boost::json::value& comparison : file.at("comparisons").as_array()) {
    for (const char* key : {"wait", "slow_down", "processes"}) comparison.as_object().erase(key);
    for (const char* key : {"host_memory", "pool"}) {
      comparison.at("workload").as_object().erase(key);
    }
    for (boost::json::value& measurement : comparison.at("measurements").as_array()) {
      for (const char* key : {"maps_host", "host_threads"}) {
        measurement.at("plan").as_object().erase(key);
      }
      measurement.at("samples").as_object().erase("process");
    }
    comparison.as_object().erase("winners");
  }
  return boost::json::serialize(file);
}

/// Checks every member of every record, to 15 digits or as a raw time.
template <typename T>
void check_same(const T& found, const T& wanted) {
  if constexpr (Described<T>) {
    boost::mp11::mp_for_each<Members<T>>([&](auto member) {
      BOOST_TEST_CONTEXT(member.name) check_same(found.*member.pointer, wanted.*member.pointer);
    });
  } else if constexpr (std::is_floating_point_v<T>) {
    const bool same = std::abs(found - wanted) <= 1e-14 * std::abs(wanted);
    BOOST_TEST((same || found == to_nanoseconds(wanted)));
  } else if constexpr (requires { wanted.has_value(); }) {
    BOOST_TEST_REQUIRE(found.has_value() == wanted.has_value());
    if (wanted) check_same(*found, *wanted);
  } else if constexpr (requires { typename T::value_type; } && !std::is_same_v<T, std::string>) {
    BOOST_TEST_REQUIRE(found.size() == wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) check_same(found[i], wanted[i]);
  } else {
    BOOST_TEST((found == wanted));
  }
}

std::string refused(const std::string& text) {
  return refusal<std::invalid_argument>([&] { from_json(text); });
}

std::string not_written(const Results& results) {
  return refusal<std::invalid_argument>([&] { to_json(results); });
}

BOOST_AUTO_TEST_CASE(json_comes_back_as_it_was) {
  for (const Results& results : {full_results(), bare_results(), Results{}}) {
    const std::string text = to_json(results);
    BOOST_TEST(to_json(from_json(text)) == text);
  }
}

BOOST_AUTO_TEST_CASE(every_field_comes_back) {
  const Results results = from_json(to_json(full_results()));
  check_same(results, full_results());
  const Measurement& m = results.comparisons.at(0).measurements.at(0);
  BOOST_TEST(m.samples.at(0).submit_us == 1.235);  // raw times, to the nanosecond
  BOOST_TEST(m.samples.at(0).wall_us == 3.001);
  BOOST_TEST(m.samples.at(1).device_us == 1234567.891);
  BOOST_TEST(m.price.value().setup_us.at(0) == 1);
  BOOST_TEST(m.setup_us == 1234.5678);
}

BOOST_AUTO_TEST_CASE(absent_values_have_no_key) {
  const std::string text = to_json(bare_results());
  for (const char* key : {"\"limit\"", "\"regime_held\"", "\"submit\"", "\"ratio\"", "null",
                          "\"price\"", "\"break_even\"", "\"advice\"", "\"bound_us\""}) {
    BOOST_TEST(text.find(key) == std::string::npos, key);
  }
  const Comparison c = from_json(text).comparisons.at(0);
  BOOST_TEST((!c.limit && !c.regime_held && !c.measurements.at(0).ratio));
}

BOOST_AUTO_TEST_CASE(the_text_diffs_well) {
  const std::string text = to_json(full_results());
  BOOST_TEST(text.find("{\n  \"schema\": \"trilane-results\",\n  \"schema_version\": 7,\n") == 0);
  BOOST_TEST(text.find("\n            \"wall_us\": [3.001, 1000000000],\n") != std::string::npos);
  BOOST_TEST(text.find("\n        \"chunks\": 4\n") != std::string::npos);
  BOOST_TEST(text.find("\"kernel nodes\": {\"value\": 16, \"at_least\": false}") !=
             std::string::npos);
  BOOST_TEST(text.ends_with("}\n"));
}

BOOST_AUTO_TEST_CASE(many_doubles_come_back_as_the_same_text) {
  Results results = bare_results();
  double value = 1.0 / 3;
  for (int i = 0; i < 2000; ++i) {
    value = value * 1.37 + 1e-3 / (i + 1);
    if (value > 1e8) value /= 1e10;
    results.comparisons[0].seconds = value;
    results.comparisons[0].rounds = 1;
    results.comparisons[0].measurements[0].samples = {{value, -0.0, value + 1, 0, 0}};
    const std::string text = to_json(results);
    BOOST_REQUIRE_EQUAL(to_json(from_json(text)), text);
  }
}

BOOST_AUTO_TEST_CASE(numbers_that_are_not_finite_are_not_written) {
  for (const double bad : {not_a_number, infinite, -infinite}) {
    Results results = full_results();
    results.comparisons[0].limit->bound_us = bad;
    BOOST_TEST(contains(not_written(results), "bound_us"));
    results = full_results();
    results.comparisons[0].measurements[0].samples[1].device_us = bad;
    BOOST_TEST(contains(not_written(results), "device_us"));
    BOOST_CHECK_THROW(to_csv(results), std::invalid_argument);
  }
  Results results = full_results();
  results.comparisons[0].measurements[0].samples[1].device_us = 1e306;  // infinite in ns
  BOOST_CHECK_THROW(to_json(results), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_name_that_stands_twice_is_not_lost) {
  Results results = full_results();
  results.context.host.emplace_back("cpu", "another");
  BOOST_CHECK_THROW(to_json(results), std::invalid_argument);
  results = full_results();
  results.comparisons[0].measurements[0].evidence.push_back({"kernel nodes", 17});
  BOOST_CHECK_THROW(to_json(results), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_text_do_not_spoil_the_file) {
  Results results = bare_results();
  results.context.command_line = "trilane --json \xff.json \x01";
  BOOST_TEST(from_json(to_json(results)).context.command_line == "trilane --json \\xff.json \\x01");
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_refused_with_its_place) {
  const std::string text = to_json(full_results());
  const struct {
    const char *from, *to, *message;
  } cases[]{
      {"trilane-results", "other", ".schema is \"other\""},
      {"\"schema_version\": 7", "\"schema_version\": 8", ".schema_version is 8, and this"},
      {"\"schema_version\": 7", "\"schema_version\": 0", ".schema_version is 0, and this"},
      {"\"schema_version\": 7", "\"schema_version\": \"3\"", ".schema_version is not a whole"},
      {"\"simulated\"", "\"stimulated\"", ".context.simulated is missing"},
      {"\"schema\"", "\"Schema\"", ".schema is missing"},
      {"\"lanes\": 3,", "", ".comparisons[0].workload.lanes is missing"},
      {"\"lanes\": 3", "\"lanes\": -3", "workload.lanes is not a whole"},
      {"\"lanes\": 3", "\"lanes\": 4294967296", "workload.lanes is not a whole"},
      {"\"lanes\": 3", "\"lanes\": 3.0", "workload.lanes is not a whole"},
      {"\"lanes\": 3", "\"lanes\": 3.5", "workload.lanes is not a whole"},
      {"\"lanes\": 3", "\"lanes\": 3, \"lines\": 3", "workload.lines is not known"},
      {"\"chunks\": 4", "\"chunks\": 5", "workload.chunks is 5 but must be 4"},
      {"\"chunk_bytes\": 256", "\"chunk_bytes\": 0", "workload.chunks is 4 but must be 0"},
      {"\"modified\": true", "\"modified\": 1", "workload.modified is neither"},
      {"\"order\": \"breadth\"", "\"order\": \"width\"",
       "order is not one of \"depth\", \"breadth\": \"width\""},
      {"\"mode\": \"throughput\"", "\"mode\": 1", "mode is not a string"},
      {"\"status\": \"ok\"", "\"status\": \"fine\"",
       "status is not one of \"ok\", \"failed\", \"not supported\", \"out of memory\", \"not "
       "run\": \"fine\""},
      {"\"pays\": \"later\"", "\"pays\": \"soon\"", "break_even.pays is not one of \"at once\", "},
      {"\"capture\": [0.5, 1]", "\"capture\": [0.5, null]", "phases.capture[1] is not a number"},
      {"[20, 21]", "[20, 1e400]", "price.passes_us[1][1] is too large"},
      {"\"seconds\": 8.25", "\"seconds\": 1e400", "seconds is too large"},
      {"\"seconds\": 8.25", "\"seconds\": \"8\"", "seconds is not a number"},
      {"\"seconds\": 8.25", "\"seconds\": null", "seconds is not a number"},
      {"\"seconds\": 8.25", "\"seconds\": NaN", "not JSON"},
      {"\"wall_us\": [3.001, 1000000000]", "\"wall_us\": [3.001]", "wall_us has 1 entries"},
      {"\"wall_us\": [3.001, 1000000000]", "\"wall_us\": [3.001, 1e400]", "samples.wall_us[1] is"},
      {"\"wall_us\": [3.001, 1000000000]", "\"wall_us\": 3", "samples.wall_us is not an array"},
      {"\"wall_us\": [3.001, 1000000000]", "\"wool_us\": []", "samples.wall_us is missing"},
      {"\"samples\": {", "\"samples\": {\"more\": [], ", "samples.more is not known"},
      {"\"at_least\": true", "\"least\": true", "facts.reserved bytes.at_least is missing"},
      {"\"moved together\"", "\"moved\"", "winners[0].tier is not one of \"same operations\", "},
      {"\"cores\": \"2\"", "\"cores\": 2", ".context.host.cores is not a string"},
      {"\"comparisons\": [", "\"comparisons\": [3, ", ".comparisons[0] is not an object"},
      {"\"4711 other\"", "4711", ".context.other_processes[0] is not a string"},
  };
  for (const auto& [from, to, message] : cases) {
    const std::string answer = refused(with(text, from, to));
    BOOST_TEST(answer.find(message) != std::string::npos, to << " gave: " << answer);
    BOOST_TEST(answer.find('\n') == std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(a_file_of_version_1_is_read_as_measured) {
  const Results results = bare_results();
  const std::string text = to_json(results);
  BOOST_TEST(to_json(from_json(as_version_2(with(text, "    \"simulated\": \"\",\n", ""), 1))) ==
             text);
  // Only there: the current version must state it.
  BOOST_TEST(
      contains(refused(with(text, "    \"simulated\": \"\",\n", "")), ".simulated is missing"));
}

BOOST_AUTO_TEST_CASE(a_file_of_version_2_is_read_with_what_was_fixed_then) {
  Results results = bare_results();
  results.comparisons[0].rounds = 2;
  results.comparisons[0].measurements[0].samples = {{1, 2, 3, 0, 0}, {4, 5, 6, 1, 0}};
  const std::string text = to_json(results);
  BOOST_TEST(to_json(from_json(as_version_2(text, 2))) == text);
  BOOST_TEST(contains(refused(as_version_2(text, results_schema_version)), " is missing"));
}

BOOST_AUTO_TEST_CASE(text_that_is_cut_or_continued_is_refused) {
  const std::string text = to_json(bare_results());
  for (std::size_t length = 0; length < text.size() - 2; ++length) {
    BOOST_REQUIRE(refused(text.substr(0, length)).starts_with("results file: byte"));
  }
  BOOST_TEST(contains(refused(text + "x"), "not JSON"));
  BOOST_TEST(contains(refused("[]"), "is not an object"));
  BOOST_TEST(to_json(from_json(text + " \n")) == text);
}

BOOST_AUTO_TEST_CASE(csv_has_a_line_per_sample) {
  Results results = full_results();
  results.comparisons[0].measurements[1].variant = "pool";
  results.comparisons[0].measurements[0].samples[1].after = 2;
  BOOST_TEST(to_csv(results) ==
             "preset,variant,status,process,round,after,submit_us,device_us,wall_us,"
             "simulated\n"
             "\"launch, modified, write-combined\",\"graph \"\"quoted\"\", with a "
             "comma\",ok,0,0,pool,1.235,2.000,"
             "3.001,NVIDIA H200 (profile of 2026-11-21)\n"
             "\"launch, modified, write-combined\",\"graph \"\"quoted\"\", with a "
             "comma\",ok,1,1,,0.001,"
             "1234567.891,1000000000.000,NVIDIA H200 (profile of 2026-11-21)\n"
             "\"launch, modified, write-combined\",pool,not run,,,,,,,NVIDIA H200 (profile of "
             "2026-11-21)\n");
  results.context.simulated.clear();
  BOOST_TEST(
      to_csv(results).ends_with("\"launch, modified, write-combined\",pool,not run,,,,,,,\n"));
  results.comparisons[0].measurements[0].samples[0].after = 0;  // its own: none before
  BOOST_TEST(to_csv(results).find(",ok,0,0,,1.235") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(names_are_what_a_person_reads) {
  using Names = std::vector<std::string>;
  BOOST_TEST(
      (all_names<Status>() == Names{"ok", "failed", "not supported", "out of memory", "not run"}));
  BOOST_TEST((all_names<Mode>() == Names{"latency", "throughput"}));
  BOOST_TEST((all_names<Order>() == Names{"depth", "breadth"}));
  BOOST_TEST((all_names<Pays>() == Names{"at once", "later", "at first", "never"}));
  BOOST_TEST((all_names<Wait>() == Names{"spin", "yield", "block"}));
  BOOST_TEST(
      (all_names<HostMemory>() == Names{"pinned", "pageable", "write-combined", "registered"}));
}

BOOST_AUTO_TEST_SUITE_END()
