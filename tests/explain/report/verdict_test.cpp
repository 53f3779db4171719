// The verdict: it respects ties, and says something about every run.
#include "common/explain/analysis/verdict/verdict.hpp"
#include "tests/base/mentions.hpp"
#include "tests/model/made_up.hpp"

BOOST_AUTO_TEST_SUITE(verdicts)

std::string said(std::vector<Measurement> measurements, const std::string& reference = "streams",
                 const std::string& simulated = {}) {
  return verdict(made_up_comparison(std::move(measurements), reference), simulated);
}

BOOST_AUTO_TEST_CASE(the_fastest_is_named_with_its_gain_and_the_ties) {
  BOOST_TEST(mentions(said({made_up("streams", 1370, 1390), made_up("graph", 283, 480),
                            made_up("pool", 1375, 1390), made_up("serial", 4000, 4100)}),
                      {"launch: use graph: 2.9 times as fast as streams [2.89, 2.91 in this "
                       "process], same operations.",
                       "Host submission drops from 1370 to 283 us.", "pool ties with streams."}));
}

BOOST_AUTO_TEST_CASE(of_those_that_tie_the_first_in_the_list_is_advised) {
  const std::string text =
      said({made_up("streams", 100, 1390), made_up("graph", 100, 480.1),
            made_up("graph_pool", 100, 480), made_up("pool", 100, 1391), made_up("x", 100, 1392)});
  BOOST_TEST(mentions(text, {"use graph", "2.9 times as fast as streams",
                             "graph_pool ties with graph", "pool and x tie with streams."}));
}

BOOST_AUTO_TEST_CASE(the_reference_stays_unless_another_is_truly_faster) {
  BOOST_TEST(mentions(said({made_up("graph", 100, 999.9), made_up("streams", 100, 1000)}),
                      {"use streams", "nothing measured is faster", "graph ties"}));
  const std::string alone = said({made_up("graph", 100, 1500), made_up("streams", 100, 1000)});
  BOOST_TEST(mentions(alone, {"use streams", "nothing measured is faster"}));
  BOOST_TEST(!mentions(alone, {"tie"}));
  // A shorter median whose interval contains 1, beside a variant that is truly faster.
  Comparison comparison = made_up_comparison(
      {made_up("pool", 100, 900), made_up("graph", 100, 950), made_up("streams", 100, 1000)});
  comparison.measurements[0].ratio = Ratio{0.9, 0.7, 1.1};
  comparison.winners = {{Tier::same_operations, "graph", comparison.measurements[1].ratio, {}}};
  BOOST_TEST(mentions(verdict(comparison), {"use graph", "1.05 times as fast as streams"}));
}

BOOST_AUTO_TEST_CASE(a_gain_below_one_percent_is_no_advice) {
  BOOST_TEST(mentions(said({made_up("graph", 100, 995), made_up("streams", 100, 1000)}),
                      {"use streams", "nothing", "1% faster"}));
}

BOOST_AUTO_TEST_CASE(small_gains_keep_their_digits) {
  BOOST_TEST(mentions(said({made_up("graph", 100, 980), made_up("streams", 100, 1000)}),
                      {"use graph", "1.02 times", "streams", "[1.017, 1.024 in this process]"}));
}

BOOST_AUTO_TEST_CASE(submission_is_told_only_where_it_differs_and_is_free) {
  BOOST_TEST(!mentions(said({made_up("graph", 950, 500), made_up("streams", 1000, 1000)}),
                       {"submission"}));
  BOOST_TEST(mentions(said({made_up("graph", 800, 500), made_up("streams", 1000, 1000)}),
                      {"Host submission drops from 1000 to 800 us"}));
  BOOST_TEST(mentions(said({made_up("graph", 200, 500), made_up("streams", 100, 1000)}),
                      {"Host submission rises from 100 to 200 us"}));
  auto blocking = made_up("malloc", 200, 500);
  blocking.plan.blocks = true;
  BOOST_TEST(!mentions(said({blocking, made_up("streams", 100, 1000)}), {"submission"}));
  BOOST_TEST(!mentions(said({blocking, made_up("graph", 10, 100)}, "malloc"), {"submission"}));
}

BOOST_AUTO_TEST_CASE(without_a_reference_the_next_serves) {
  BOOST_TEST(mentions(said({made_up("pool", 100, 1000), made_up("graph", 100, 500),
                            made_up("graph_pool", 100, 500.1)},
                           ""),
                      {"use graph", "2.0 times as fast as pool", "[1.99, 2.01 in this process]",
                       "the next", "graph_pool ties with graph"}));
  BOOST_TEST(mentions(said({made_up("pool", 100, 500), made_up("graph", 100, 500)}, ""),
                      {"use pool", "graph ties with pool"}));
}

BOOST_AUTO_TEST_CASE(a_failed_reference_is_told) {
  BOOST_TEST(mentions(said({made_up("pool", 100, 1000), made_up("graph", 100, 500),
                            made_up("streams", Status::failed, "wrong data")}),
                      {"use graph", "2.0 times as fast as pool", "the next", "streams failed"}));
}

BOOST_AUTO_TEST_CASE(a_single_variant_has_nobody_to_beat) {
  BOOST_TEST(mentions(said({made_up("graph", 100, 500)}, ""),
                      {"only graph was measured", "500 us", "nothing to compare"}));
  BOOST_TEST(
      mentions(said({made_up("streams", 100, 500), made_up("pool", Status::not_supported, "none")}),
               {"only streams was measured", "500 us", "nothing to compare"}));
}

BOOST_AUTO_TEST_CASE(nothing_measured_is_no_verdict) {
  BOOST_TEST(mentions(said({}), {"launch: no verdict", "nothing was measured"}));
  BOOST_TEST(
      mentions(said({made_up("graph", Status::failed, "x"), made_up("pool", Status::failed, "x"),
                     made_up("serial", Status::not_run, "x")}),
               {"no verdict", "graph and pool failed", "serial did not run"}));
}

BOOST_AUTO_TEST_CASE(a_prediction_claims_only_gains_beyond_the_models_error) {
  const auto predicted = [](std::optional<double> error) {
    Measurement streams = made_up("streams", 100, 1000), graph = made_up("graph", 100, 900);
    streams.prediction = graph.prediction = Prediction{error, {}};
    return said({streams, graph});
  };
  BOOST_TEST(mentions(predicted(1.05), {"use graph"}));
  BOOST_TEST(mentions(predicted(2), {"use streams: no gain is larger than the model's error"}));
  BOOST_TEST(mentions(predicted({}), {"no gain can be claimed", "the profile", "900 us"}));
}

BOOST_AUTO_TEST_CASE(a_simulated_device_measures_nothing) {
  const std::string name = "NVIDIA H200 (profile of 2026-11-21)",
                    launch = "launch, simulated " + name;
  const auto streams = made_up("streams", 100, 500);
  BOOST_TEST(mentions(said({streams, made_up("graph", 50, 250)}, "streams", name),
                      {launch, "use graph", "2.0 times"}));
  BOOST_TEST(mentions(said({streams, made_up("graph", 150, 550)}, "streams", name),
                      {launch, "use streams", "nothing simulated is faster"}));
  BOOST_TEST(mentions(said({streams}, "", name), {launch, "only streams was simulated", "500 us"}));
  BOOST_TEST(mentions(said({}, "", name), {launch, "no verdict", "nothing was simulated"}));
}

BOOST_AUTO_TEST_CASE(an_interrupted_run_says_so) {
  Comparison comparison =
      made_up_comparison({made_up("graph", 100, 500), made_up("streams", 100, 1000)});
  comparison.stopped = "interrupted";
  BOOST_TEST(verdict(comparison).ends_with("interrupted."));
  comparison = made_up_comparison({made_up("graph", 100, 500, 3), made_up("streams", 90, 1000, 3)});
  comparison.stopped = "interrupted";
  BOOST_TEST(mentions(verdict(comparison),
                      {"too few rounds", "graph", "shortest mean, 500 us", "interrupted"}));
  comparison = made_up_comparison({made_up("graph", Status::not_run, "x")}, "");
  comparison.stopped = "lost";
  BOOST_TEST(mentions(verdict(comparison),
                      {"no verdict", "nothing was measured", "graph did not run", "unusable"}));
}

BOOST_AUTO_TEST_CASE(a_variant_with_too_few_rounds_ties_with_nobody) {
  BOOST_TEST(mentions(said({made_up("graph", 100, 1000, 5), made_up("streams", 100, 1000)}),
                      {"too few rounds", "graph", "shortest mean, 1000 us"}));
  BOOST_TEST(mentions(said({made_up("pool", 100, 1001), made_up("graph", 100, 1100, 5),
                            made_up("streams", 100, 1000)}),
                      {"use streams", "nothing measured is faster", "pool ties with streams"}));
}

BOOST_AUTO_TEST_CASE(times_of_a_failed_variant_do_not_count) {
  Comparison comparison = made_up_comparison(
      {made_up("graph", 100, 500), made_up("pool", 100, 900), made_up("streams", 100, 1000)});
  comparison.measurements[0].status = Status::failed;
  comparison.winners = winners_of(comparison);
  BOOST_TEST(verdict(comparison).starts_with("launch: use pool: 1.11 times as fast as streams"));
}

/// Returns a comparison in which streams and graph were priced, with a fake break-even of the
/// graph.
Comparison priced_comparison() {
  Comparison comparison =
      made_up_comparison({made_up("graph", 100, 500), made_up("streams", 990, 1000)});
  for (Measurement& m : comparison.measurements) {
    m.price.emplace();
    m.price->device_bytes = {1 << 20, 2 << 20, 3 << 20};
  }
  comparison.measurements[1].price->device_bytes = {4096};
  comparison.measurements[0].break_even =
      BreakEven{.pays = Pays::later, .passes = 3.14, .low = 2.9, .high = 12.4};
  return comparison;
}

BOOST_AUTO_TEST_CASE(what_the_advice_costs_is_told) {
  Comparison comparison = priced_comparison();
  auto& pays = *comparison.measurements[0].break_even;
  BOOST_TEST(
      mentions(verdict(comparison),
               {"use graph", "2.0 times as fast as streams", "from 990 to 100 us",
                "after 3.1 passes", "[2.9, 12 in this process]", "2 MiB", "streams", "4 KiB"}));
  pays.high.reset();
  BOOST_TEST(mentions(verdict(comparison), {"[2.9, never in this process]"}));
  pays = BreakEven{.pays = Pays::at_once, .passes = 0, .low = 0, .high = 0};
  BOOST_TEST(mentions(verdict(comparison), {"ahead from the first pass", "2 MiB"}));
  pays.high = 12;
  BOOST_TEST(mentions(verdict(comparison), {"after 0 passes", "[0, 12 in this process]"}));
  pays = BreakEven{.pays = Pays::never};
  BOOST_TEST(mentions(verdict(comparison), {"graph never", "2 MiB"}));
  comparison.measurements[0].break_even.reset();
  comparison.measurements[0].price->device_bytes = {4096};
  BOOST_TEST(mentions(verdict(comparison), {"to 100 us", "4 KiB", "streams"}));
  comparison.measurements[0].price->device_bytes = {0};
  const std::string none = verdict(comparison).substr(verdict(comparison).find("to 100 us"));
  BOOST_TEST(mentions(none, {"streams", "4 KiB"}));
  BOOST_TEST(!mentions(none, {" 0 B"}));
}

BOOST_AUTO_TEST_CASE(the_reference_has_nothing_to_pay_for) {
  Comparison comparison =
      made_up_comparison({made_up("graph", 100, 1500), made_up("streams", 1, 2)});
  comparison.measurements[1].price.emplace().device_bytes = {4096};
  BOOST_TEST(mentions(verdict(comparison), {"use streams", "nothing measured is faster", "4 KiB"}));
}

BOOST_AUTO_TEST_CASE(the_parts_say_what_the_sentences_say) {
  Comparison comparison = priced_comparison();
  comparison.limit = Limit{};
  comparison.limit->copy_in_us = comparison.limit->steady_in_us = 7;
  comparison.measurements[1].plan.model.chaining = Chaining::data_edges;
  const Advice parts = advice(comparison).value();
  BOOST_TEST(parts.use == "graph");
  BOOST_TEST(parts.over == "streams");
  BOOST_TEST(parts.ratio.value().estimate == comparison.measurements[0].ratio->estimate);
  BOOST_TEST(parts.break_even.value().passes.value() == 3.14);
  BOOST_TEST(parts.device_bytes.value() == 2u << 20);
  BOOST_TEST(parts.limited_by == "copy in");
  BOOST_TEST(parts.share.value() == 64 * 7.0 / 500, boost::test_tools::tolerance(1e-9));
  const std::string text = verdict(comparison);
  BOOST_TEST(text.ends_with(" What limits it: copy in; " + parts.figures + "."), text);
  BOOST_TEST((!parts.step && parts.next == ""));
  BOOST_TEST(!advice(made_up_comparison({})));
  BOOST_TEST(!advice(made_up_comparison({made_up("graph", 100, 500)}, "")));
}

BOOST_AUTO_TEST_CASE(a_modified_preset_is_called_one) {
  Comparison comparison = made_up_comparison({made_up("graph", 100, 500)}, "");
  comparison.workload.modified = true;
  BOOST_TEST(verdict(comparison).starts_with("launch, modified: only graph"));
}

BOOST_AUTO_TEST_SUITE_END()
