// Graph, pool, engines: what the answers say of gains, ties and losses.
#include <boost/test/unit_test.hpp>

#include "common/analysis/verdict/answers.hpp"
#include "tests/results/made_up.hpp"
#include "tests/text/mentions.hpp"

using namespace trilane;

namespace {

Measurement with(const std::string& variant, const Model& model, double wall_us) {
  Measurement m = made_up(variant, 100, wall_us);
  m.plan.model = model;
  return m;
}

constexpr Model streams{Issuer::host, Chaining::lanes, ScratchSource::lane,
                        Mover::engines_per_chunk};

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

}  // namespace

BOOST_AUTO_TEST_SUITE(answers)

BOOST_AUTO_TEST_CASE(a_change_is_known_by_its_model) {
  for (const Change change : all_changes) BOOST_TEST(!is(change, streams));
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
             "Memory per chunk from a pool: 3.4x as long on search and +8% on launch; no "
             "difference elsewhere.");
}

/// The answer's text; empty without one.
std::string answer(const std::vector<Comparison>& all, const std::string& question) {
  for (const Answer& each : answers_to(all)) {
    if (each.question == question) return each.text;
  }
  return "";
}

BOOST_AUTO_TEST_CASE(with_one_workload_it_is_not_named) {
  const std::vector<Comparison> gain{on("launch", 400, 1000)}, loss{on("launch", 2000, 1080)};
  BOOST_TEST(answer(gain, "Graph?") == "Yes: 2.5x.");
  BOOST_TEST(answer(gain, "Pool?") == "Memory per chunk from a pool: no difference.");
  BOOST_TEST(answer(loss, "Graph?") == "No: 0.50x.");
  BOOST_TEST(answer(loss, "Pool?") == "Memory per chunk from a pool: +8%.");
}

BOOST_AUTO_TEST_CASE(break_even_is_told_where_a_graph_gains) {
  std::vector<Comparison> all{on("launch", 400, 1000)};
  auto& even = all[0].measurements[1].break_even;
  even = BreakEven{Pays::later, 3.14, 2.9, 12, {}};
  BOOST_TEST(answer(all, "Graph?") == "Yes: 2.5x, break-even after 3.1 passes.");
  even = BreakEven{Pays::at_once, 0, 0, 0, {}};
  BOOST_TEST(answer(all, "Graph?") == "Yes: 2.5x from the first pass.");
  even = BreakEven{Pays::never, {}, {}, {}, {}};
  BOOST_TEST(answer(all, "Graph?") == "Yes: 2.5x, set-up never recovered.");
}

BOOST_AUTO_TEST_CASE(answers_are_over_multi_stream_code_whatever_the_reference_is) {
  std::vector<Comparison> all{on("launch", 400, 1080)};
  for (const char* reference : {"graph", "pool", ""}) {
    all[0].reference = reference;
    summarise(all[0]);
    BOOST_TEST(answer(all, "Graph?") == "Yes: 2.5x.");
  }
  std::erase_if(all[0].measurements, [](const Measurement& m) { return m.variant == "streams"; });
  BOOST_TEST(answers_to(all).empty());
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
  BOOST_TEST(answer({comparison}, "Pool?") ==
             "Memory per chunk: pool:a=1 +8%, pool:b=2 no difference and pool:threshold=0 3.4x as "
             "long. By cudaMalloc: +50%.");
  Comparison other = comparison;
  other.workload.name = "other";
  BOOST_TEST(mentions(answer({comparison, other}, "Pool?"), {"at most", "pool:a=1 +8% (launch)"}));
}

BOOST_AUTO_TEST_CASE(settings_are_compared_with_the_first) {
  Comparison pageable = on("launch", 400, 1080), blocking = on("launch", 400, 1080);
  pageable.workload.host_memory = HostMemory::pageable;
  pageable.measurements[0] = with("streams", streams, 2500);
  summarise(pageable);
  BOOST_TEST(answer({on("launch", 400, 1080), pageable}, "Settings?") ==
             "launch, streams with pinned 1000 us: pageable 2.5x as long.");
  blocking.wait = Wait::block;
  BOOST_TEST(mentions(answer({on("launch", 400, 1080), blocking}, "Settings?"), {"the same"}));
}

BOOST_AUTO_TEST_SUITE_END()
