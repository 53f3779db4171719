// The best variant of each tier, the verdict's words on the other tiers, and that one function
// derives everything that files and tables hold.
#include "common/explain/analysis/verdict/derive.hpp"
#include "common/explain/analysis/verdict/verdict.hpp"
#include "common/model/results/results_io.hpp"
#include "tests/base/mentions.hpp"
#include "tests/model/made_up.hpp"

BOOST_AUTO_TEST_SUITE(winners)

Measurement moved_by(Mover mover, const std::string& variant, double wall_us) {
  Measurement m = made_up(variant, 100, wall_us);
  m.plan.model.mover = mover;
  return m;
}

Comparison all_tiers_of(double same_us, double moved_us, double rewritten_us) {
  return made_up_comparison({made_up("streams", 100, 1000), made_up("graph", 100, same_us),
                             moved_by(Mover::engines_per_pass, "coalesced", moved_us),
                             moved_by(Mover::fused_per_pass, "fused", rewritten_us)});
}

BOOST_AUTO_TEST_CASE(each_tier_has_its_winner) {
  const std::vector<Winner> all = winners_of(all_tiers_of(500, 200, 50));
  BOOST_TEST_REQUIRE(all.size() == 3u);
  BOOST_TEST((all[0].tier == Tier::same_operations));
  BOOST_TEST(all[0].variant == "graph");
  BOOST_TEST(all[0].ratio->estimate == 0.5, boost::test_tools::tolerance(0.02));
  BOOST_TEST(all[1].variant == "coalesced");
  BOOST_TEST(all[2].variant == "fused");
}

BOOST_AUTO_TEST_CASE(the_reference_wins_its_tier_unless_another_is_faster_by_a_percent) {
  const std::vector<Winner> all = winners_of(all_tiers_of(995, 200, 50));
  BOOST_TEST(all[0].variant == "streams");
  BOOST_TEST(!all[0].ratio.has_value());
}

BOOST_AUTO_TEST_CASE(of_those_that_tie_the_first_wins_and_the_others_are_named) {
  const std::vector<Winner> all =
      winners_of(made_up_comparison({made_up("streams", 100, 1000), made_up("graph", 100, 500.1),
                                     made_up("graph_built", 100, 500)}));
  BOOST_TEST_REQUIRE(all.size() == 1u);
  BOOST_TEST(all[0].variant == "graph");
  BOOST_TEST((all[0].tied == std::vector<std::string>{"graph_built"}));
}

BOOST_AUTO_TEST_CASE(of_those_within_the_models_error_the_one_predicted_fastest_wins) {
  const auto predicted = [](const std::string& variant, double wall_us) {
    Measurement m = made_up(variant, 100, wall_us);
    m.prediction = Prediction{1.25, {}};
    return m;
  };
  const Comparison comparison = made_up_comparison(
      {predicted("streams", 1000), predicted("graph", 550), predicted("graph_built", 500)});
  BOOST_TEST(comparison.winners.front().variant == "graph_built");
  BOOST_TEST((comparison.winners.front().tied == std::vector<std::string>{"graph"}));
}

BOOST_AUTO_TEST_CASE(the_best_that_keeps_the_stages_is_of_the_first_tiers) {
  BOOST_TEST(best_kept(all_tiers_of(500, 900, 50))->variant == "graph");
  BOOST_TEST(best_kept(all_tiers_of(500, 200, 50))->variant == "coalesced");
  BOOST_TEST(best_kept(all_tiers_of(500, 498, 50))->variant == "graph");  // not by a percent
  BOOST_TEST(best_kept(made_up_comparison({moved_by(Mover::kernels, "kernels", 9)})) == nullptr);
  BOOST_TEST(winner_of(all_tiers_of(500, 900, 50), Tier::rewritten)->variant == "fused");
  BOOST_TEST(winner_of(made_up_comparison({}), Tier::rewritten) == nullptr);
}

BOOST_AUTO_TEST_CASE(a_rewrite_is_never_the_only_advice) {
  BOOST_TEST(
      mentions(verdict(all_tiers_of(500, 900, 50)),
               {"use graph", "2.0 times", "same operations.", "Rewritten: fused, 20 times ["}));
  BOOST_TEST(mentions(verdict(all_tiers_of(1500, 1500, 50)),
                      {"use streams", "with the same operations", "Rewritten: fused, 20 times"}));
  BOOST_TEST(mentions(verdict(all_tiers_of(500, 200, 50)),
                      {"use graph", "2.0 times", "Moved together: coalesced, 5.0 times [",
                       "Rewritten: fused, 20 times"}));
  BOOST_TEST(!mentions(verdict(all_tiers_of(500, 200, 700)), {"Rewritten"}));
  BOOST_TEST(!mentions(verdict(all_tiers_of(500, 900, 50)), {"Moved together"}));
}

BOOST_AUTO_TEST_CASE(beside_a_reference_that_is_a_rewrite_stands_what_keeps_the_operations) {
  Comparison comparison =
      made_up_comparison({made_up("streams", 100, 1000), moved_by(Mover::kernels, "kernels", 400),
                          moved_by(Mover::fused_per_pass, "fused", 500)},
                         "fused");
  BOOST_TEST(mentions(verdict(comparison), {"use kernels", "1.25 times as fast as fused",
                                            "rewritten.", "Same operations: streams, 0.50 times"}));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(derivation)

Measurement priced(const std::string& variant, double setup_us, double pass_us) {
  Measurement m = made_up(variant, pass_us / 2, pass_us);
  m.price.emplace();
  m.price->setup_us.assign(15, setup_us);
  m.price->passes_us.assign(4, std::vector<double>(15, pass_us));
  m.price->device_bytes.assign(15, 4096);
  return m;
}

Comparison measured() {
  Comparison comparison =
      made_up_comparison({priced("streams", 100, 1000), priced("graph", 3000, 500)});
  comparison.limit = Limit{};
  comparison.limit->bound_us = 400;
  return comparison;
}

std::string file_of(const Comparison& comparison) {
  return to_json(Results{.context = {}, .answers = {}, .doubts = {}, .comparisons = {comparison}});
}

BOOST_AUTO_TEST_CASE(everything_is_derived_from_the_samples) {
  Comparison comparison = measured();
  for (Measurement& m : comparison.measurements) m.wall = m.submit = m.device = std::nullopt;
  derive(comparison, "");
  const Measurement& graph = comparison.measurements[1];
  BOOST_TEST((graph.wall && graph.ratio && graph.break_even));
  BOOST_TEST(!comparison.regime.empty());
  BOOST_TEST(comparison.verdict == verdict(comparison));
  BOOST_TEST(comparison.verdict.starts_with("launch: use graph"));
  BOOST_REQUIRE(comparison.advice.has_value());
  BOOST_TEST((comparison.advice->break_even.has_value()));
  BOOST_TEST(comparison.advice->use == "graph");
}

BOOST_AUTO_TEST_CASE(deriving_again_changes_nothing) {
  Comparison comparison = measured();
  derive(comparison, "H200");
  comparison.measurements[1].break_even->crossing = Crossing{.sequences = 40, .run = 20};
  derive(comparison, "H200");
  const std::string once = file_of(comparison);
  derive(comparison, "H200");
  BOOST_TEST(file_of(comparison) == once);
  BOOST_TEST(comparison.measurements[1].break_even->crossing->sequences == 40u);
}

BOOST_AUTO_TEST_CASE(what_a_failed_variant_had_is_taken_back) {
  Comparison comparison = measured();
  derive(comparison, "");
  comparison.measurements[1].status = Status::failed;
  derive(comparison, "");
  const Measurement& graph = comparison.measurements[1];
  BOOST_TEST((!graph.wall && !graph.ratio && !graph.break_even && !graph.bound_us));
  BOOST_TEST((!comparison.advice || comparison.advice->use != "graph"));
}

BOOST_AUTO_TEST_SUITE_END()
