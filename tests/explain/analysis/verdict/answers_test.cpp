// Graph, pool, engines: the answers on gains, ties and losses.
#include "common/explain/analysis/verdict/derive.hpp"
#include "tests/base/mentions.hpp"
#include "tests/model/made_up.hpp"

BOOST_AUTO_TEST_SUITE(answers)

Measurement with(const std::string& variant, const Model& model, double wall_us) {
  Measurement m = made_up(variant, 100, wall_us);
  m.plan.model = model;
  return m;
}

constexpr Model streams = multi_stream;

Model issued_as_graph() {
  Model model = streams;
  model.issuer = Issuer::graph;
  return model;
}

Model from(ScratchSource scratch) {
  Model model = streams;
  model.scratch = scratch;
  return model;
}

Comparison on(const char* workload, double graph_us, double pool_us) {
  Comparison comparison = made_up_comparison({with("streams", streams, 1000),
                                              with("graph", issued_as_graph(), graph_us),
                                              with("pool", from(ScratchSource::pool), pool_us)});
  comparison.workload.name = workload;
  return comparison;
}

BOOST_AUTO_TEST_CASE(a_change_is_known_by_its_model) {
  for (const Change change : enumerators<Change>) BOOST_TEST(!is(change, streams));
  BOOST_TEST(is(Change::graph, issued_as_graph()));
  BOOST_TEST(is(Change::trimmed_pool, from(ScratchSource::trimmed_pool)));
  BOOST_TEST(!is(Change::pool, from(ScratchSource::trimmed_pool)));
  Model both = issued_as_graph();
  both.chaining = Chaining::data_edges;
  BOOST_TEST(!is(Change::graph, both));
}

BOOST_AUTO_TEST_CASE(gains_ties_and_losses_are_told_apart) {
  const std::vector<Comparison> all{on("launch", 400, 1080), on("transfer", 1001, 1002),
                                    on("search", 1250, 3400)};
  const std::vector<Answer> found = answers_to(all);
  BOOST_TEST_REQUIRE(found.size() == 2u);
  BOOST_TEST(found[0].question == "Graph?");
  BOOST_TEST(found[0].text ==
             "Faster on launch (2.5x). Slower on search (0.80x). No difference on transfer.");
  BOOST_TEST(found[1].question == "Pool?");
  BOOST_TEST(found[1].text ==
             "Pooled memory per chunk: 3.4x as long on search and +8% on launch; no difference "
             "elsewhere.");
}

/// Returns the answer's text; empty without one.
std::string answer(const std::vector<Comparison>& all, const std::string& question) {
  for (const Answer& each : answers_to(all)) {
    if (each.question == question) return each.text;
  }
  return "";
}

BOOST_AUTO_TEST_CASE(what_makes_no_difference_anywhere_names_no_workload) {
  const std::vector<Comparison> all{on("launch", 1001, 1002), on("search", 1002, 1001)};
  BOOST_TEST(answer(all, "Graph?") == "No difference anywhere.");
  BOOST_TEST(answer(all, "Pool?") == "Pooled memory per chunk: no difference anywhere.");
}

BOOST_AUTO_TEST_CASE(with_one_workload_it_is_not_named) {
  const std::vector<Comparison> gain{on("launch", 400, 1000)}, loss{on("launch", 2000, 1080)};
  BOOST_TEST(answer(gain, "Graph?") == "Yes: 2.5x; a pass takes 600 us less.");
  BOOST_TEST(answer(gain, "Pool?") == "Pooled memory per chunk: no difference.");
  BOOST_TEST(answer(loss, "Graph?") == "No: 0.50x.");
  BOOST_TEST(answer(loss, "Pool?") == "Pooled memory per chunk: +8%.");
}

BOOST_AUTO_TEST_CASE(break_even_is_told_where_a_graph_gains) {
  std::vector<Comparison> all{on("launch", 400, 1000)};
  auto& even = all[0].measurements[1].break_even;
  even = BreakEven{Pays::later, 3.14, 2.9, 12, {}};
  BOOST_TEST(answer(all, "Graph?") ==
             "Yes: 2.5x, break-even after 3.1 passes; a pass takes 600 us less.");
  even = BreakEven{Pays::at_once, 0, 0, 0, {}};
  BOOST_TEST(answer(all, "Graph?") == "Yes: 2.5x from the first pass; a pass takes 600 us less.");
  even = BreakEven{Pays::never, {}, {}, {}, {}};
  BOOST_TEST(answer(all, "Graph?") ==
             "Yes: 2.5x, set-up never recovered; a pass takes 600 us less.");
}

BOOST_AUTO_TEST_CASE(answers_are_over_multi_stream_code_whatever_the_reference_is) {
  std::vector<Comparison> all{on("launch", 400, 1080)};
  for (const char* reference : {"graph", "pool", ""}) {
    all[0].reference = reference;
    summarise(all[0]);
    all[0].measurements[1].break_even = BreakEven{Pays::later, 3, 2, 4, {}};  // over another
    BOOST_TEST(answer(all, "Graph?") == "Yes: 2.5x; a pass takes 600 us less.");
  }
  std::erase_if(all[0].measurements, [](const Measurement& m) { return m.variant == "streams"; });
  BOOST_TEST(answers_to(all).empty());
}

BOOST_AUTO_TEST_CASE(an_effect_is_at_least_one_percent_and_beyond_its_interval) {
  BOOST_TEST((effect_of(Ratio{0.9, 0.89, 0.91}) == Effect::gains));
  BOOST_TEST((effect_of(Ratio{1.05, 1.02, 1.08}) == Effect::loses));
  BOOST_TEST((effect_of(Ratio{1.05, 0.99, 1.12}) == Effect::nothing));
  BOOST_TEST((effect_of(Ratio{1.005, 1.002, 1.008}) == Effect::nothing));
  BOOST_TEST((effect_of(Ratio{0.995, 0.992, 0.998}) == Effect::nothing));
  BOOST_TEST((effect_of(Ratio{1.05, 0, 2}) == Effect::unclear));
  BOOST_TEST((effect_of(std::nullopt) == Effect::unclear));
}

BOOST_AUTO_TEST_CASE(too_few_rounds_answer_nothing) {
  Comparison comparison =
      made_up_comparison({made_up("streams", 9, 1000, 3), with("graph", issued_as_graph(), 500)});
  BOOST_TEST(answers_to({&comparison, 1}).empty());
}

BOOST_AUTO_TEST_CASE(several_pool_policies_are_called_by_their_names) {
  Comparison comparison = made_up_comparison(
      {with("streams", streams, 1000), with("pool:a=1", from(ScratchSource::pool), 1080),
       with("pool:b=2", from(ScratchSource::pool), 1001),
       with("pool:threshold=0", from(ScratchSource::trimmed_pool), 3400),
       with("malloc", from(ScratchSource::cuda_malloc), 1500)});
  BOOST_TEST(
      answer({comparison}, "Pool?") ==
      "Pooled memory per chunk: pool:threshold=0 3.4x as long and pool:a=1 +8%; no difference "
      "with pool:b=2. cudaMalloc per chunk: +50%.");
  Comparison other = comparison;
  other.workload.name = "other";
  BOOST_TEST(mentions(answer({comparison, other}, "Pool?"), {"at most", "pool:a=1 +8% (launch)"}));
}

BOOST_AUTO_TEST_CASE(policies_that_all_trim_are_called_by_their_names_too) {
  Comparison comparison = made_up_comparison(
      {with("streams", streams, 1000), with("pool:kept", from(ScratchSource::pool), 1080),
       with("pool:default", from(ScratchSource::trimmed_pool), 1300),
       with("pool:threshold=0", from(ScratchSource::trimmed_pool), 1200)});
  Comparison other = made_up_comparison(
      {with("streams", streams, 1000), with("pool:kept", from(ScratchSource::pool), 1150),
       with("pool:default", from(ScratchSource::trimmed_pool), 1200),
       with("pool:threshold=0", from(ScratchSource::trimmed_pool), 1100)});
  other.workload.name = "other";
  BOOST_TEST(answer({comparison, other}, "Pool?") ==
             "Pooled memory per chunk, at most: pool:default +30% (launch), pool:threshold=0 +20% "
             "(launch) and pool:kept +15% (other).");
  BOOST_TEST(answers_to(std::vector{comparison, other}, 1)[0].text ==
             "Pooled memory per chunk, at most: pool:default +30% (launch) and 2 more.");
}

BOOST_AUTO_TEST_CASE(fewer_names_make_an_answer_shorter) {
  std::vector<Comparison> all;
  for (const char* name : {"a", "b", "c", "d"}) all.push_back(on(name, 400, 3400));
  BOOST_TEST(answers_to(all, 1)[0].text == "Faster on a (2.5x) and 3 more.");
  BOOST_TEST(answers_to(all, 2)[1].text ==
             "Pooled memory per chunk: 3.4x as long on a, 3.4x on b and 2 more.");
}

/// Returns traced multi-stream code: for these shares of its memsets' time, other lanes ran
/// something.
Comparison traced(const char* workload, double kernels, double copies_in, double copies_out) {
  Comparison comparison = on(workload, 400, 1080);
  Timeline timeline;
  timeline.event_us = {1000};
  timeline.overlap = {{"copy in", "kernel", 1, 0.7},         {"kernel", "copy in", 1, 0.6},
                      {"kernel", "copy out", 1, 0.4},        {"memset", "copy in", 1, copies_in},
                      {"memset", "copy out", 1, copies_out}, {"memset", "kernel", 1, kernels},
                      {"memset", "memset", 1, 0.9},          {"kernel", "memset", 1, 0.8}};
  comparison.measurements[0].timeline = timeline;
  return comparison;
}

BOOST_AUTO_TEST_CASE(a_trace_tells_what_runs_beside_memsets) {
  BOOST_TEST(answer({on("launch", 400, 1080)}, "Memset?").empty());
  const Comparison launch = traced("launch", 0.5, 0.12, 0.03);
  BOOST_TEST(answer({launch}, "Memset?") ==
             "While a lane of streams runs a memset, other lanes run kernels 50% of the time, "
             "copies in 12% and copies out 3%.");
  BOOST_TEST(
      answer({launch, traced("search", 0.1, 0.2, 0.3), on("reduce", 400, 1080)}, "Memset?") ==
      "While a lane of streams runs a memset, other lanes work at least 30% of the time on "
      "search and 50% on launch.");
  Comparison one_lane = launch;
  one_lane.workload.lanes = 1;
  BOOST_TEST(answer({one_lane}, "Memset?").empty());
  Comparison of_graph = launch;
  std::swap(of_graph.measurements[0].timeline, of_graph.measurements[1].timeline);
  BOOST_TEST(answer({of_graph}, "Memset?").empty());
}

BOOST_AUTO_TEST_CASE(settings_are_compared_with_the_first) {
  Comparison pageable = on("launch", 400, 1080), blocking = on("launch", 400, 1080);
  pageable.workload.host_memory = HostMemory::pageable;
  pageable.measurements[0] = with("streams", streams, 2500);
  summarise(pageable);
  BOOST_TEST(answer({on("launch", 400, 1080), pageable}, "Settings?") ==
             "streams with pinned 1000 us: pageable 2.5x as long.");
  blocking.wait = Wait::block;
  BOOST_TEST(mentions(answer({on("launch", 400, 1080), blocking}, "Settings?"), {"the same"}));
}

BOOST_AUTO_TEST_CASE(without_a_reference_settings_are_told_of_the_fastest_variant) {
  Comparison pinned = on("launch", 400, 1080), pageable = on("launch", 600, 1080);
  pageable.workload.host_memory = HostMemory::pageable;
  pinned.reference = pageable.reference = "";
  BOOST_TEST(answer({pinned, pageable}, "Settings?") == "graph with pinned 400 us: pageable +50%.");
}

BOOST_AUTO_TEST_CASE(settings_of_several_workloads_are_told_by_setting_the_largest_cost_first) {
  std::vector<Comparison> all;
  for (const auto& [name, us] : {std::pair{"launch", 1580.0}, {"transfer", 6500.0}}) {
    all.push_back(on(name, 400, 1080));
    for (const HostMemory memory : {HostMemory::pageable, HostMemory::registered}) {
      Comparison other = on(name, 400, 1080);
      other.workload.host_memory = memory;
      if (memory == HostMemory::pageable) other.measurements[0] = with("streams", streams, us);
      summarise(other);
      all.push_back(other);
    }
  }
  BOOST_TEST(answer(all, "Settings?") ==
             "streams with pageable instead of pinned: 6.5x as long on transfer and +58% on "
             "launch. streams with registered instead of pinned: the same on launch and the same "
             "on transfer.");
  BOOST_TEST(mentions(answer(all, "Graph?"), {"transfer/pageable (16x), launch/pageable (3.9x)"}));
}

BOOST_AUTO_TEST_SUITE_END()
