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
  BOOST_TEST(mentions(found[0].text, {"Faster on launch (2.5", "No difference on transfer",
                                      "Slower on search (0.8"}));
  BOOST_TEST(found[1].question == "Pool?");
  BOOST_TEST(mentions(found[1].text, {"+8% on launch", "x3.4 on search", "nothing elsewhere"}));
}

BOOST_AUTO_TEST_SUITE_END()
