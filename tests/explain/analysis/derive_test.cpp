// One function derives everything that files and tables hold.
#include "common/explain/analysis/verdict/derive.hpp"

#include <boost/test/unit_test.hpp>

#include "common/explain/analysis/verdict/verdict.hpp"
#include "common/model/results/results_io.hpp"
#include "tests/model/made_up.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(derivation)

namespace {

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

}  // namespace

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
