// Pricing and the proof of break-even with a fake bench: which variant is set up when, and what is
// kept.
#include "common/measure/harness/pricing.hpp"

#include "common/explain/analysis/verdict/break_even.hpp"
#include "tests/measure/harness/fake_bench.hpp"
#include "tests/model/made_up.hpp"

namespace {

/// A variant's times. Its first pass takes `first_us` more than the others; `pool_us` of any pass
/// are spent in a pool, and `priming_us` of the first.
struct Times {
  double setup_us, first_us, pass_us, pool_us = 0, priming_us = 0;
};

class TimesBench : public BenchWithClock {
 public:
  explicit TimesBench(std::vector<Times> times) : times_(std::move(times)) {}

  double set_up(std::size_t variant) override {
    happens("set up", variant);
    if (alive >= 0) throw std::logic_error("another is set up still");
    alive = static_cast<int>(variant);
    passes_ = 0;
    phases_ = {{"streams", 3}, {"capture", 4}};
    return spend(times_[variant].setup_us + setups[variant]++);
  }
  double pass(std::size_t variant) override {
    happens("pass", variant);
    if (alive != static_cast<int>(variant)) throw std::logic_error("not set up");
    const Times& times = times_[variant];
    return spend(times.pass_us + (passes_++ == 0 ? times.first_us : 0));
  }
  double pass_by_phase(std::size_t variant) override {
    const Times& times = times_[variant];
    phases_.clear();
    const double in_pool = times.pool_us + (passes_ == 0 ? times.priming_us : 0);
    if (in_pool > 0) phases_ = {{"pool allocation", in_pool}};
    return pass(variant);
  }
  Sample without_events(std::size_t, std::uint32_t) override {
    throw std::logic_error("no samples here");
  }
  std::vector<Count> evidence(std::size_t variant) override {
    happens("evidence", variant);
    if (variant != 1) return BenchWithClock::evidence(variant);
    return {{"pool used high bytes", 100}, {"pool reserved high bytes", 200}};
  }
  double tear_down(std::size_t variant) override {
    happens("tear down", variant);
    alive = -1;
    return spend(9);
  }
  /// Returns the device memory of a variant once it is set up: 1000 bytes and its number.
  std::uint64_t free_bytes() override {
    return 50'000 - (alive < 0 ? 0 : 1000 + static_cast<std::uint64_t>(alive));
  }

  int alive = -1;
  std::vector<int> setups = std::vector<int>(9);
  std::vector<std::size_t> order;  // of set-ups
  std::function<void(const std::string&, std::size_t)> on_call = [](const auto&, auto) {};

 private:
  void happens(const std::string& what, std::size_t variant) {
    if (what == "set up") order.push_back(variant);
    on_call(what, variant);
  }

  std::vector<Times> times_;
  int passes_ = 0;
};

/// streams, pool and graph; graph gains 500 us a pass over streams, and costs 2000 more before.
struct Fixture {
  TimesBench bench{{{50, 10, 1000}, {80, 30, 1000, 20, 25}, {2050, 10, 500}}};
  Comparison comparison = made_up_comparison(
      {made_up("streams", 900, 1000), made_up("pool", 900, 1000), made_up("graph", 100, 500)});
  PricingSettings settings{.seconds = 1};
  HarnessListener listener;

  void run() { price_variants(bench, comparison, settings, listener); }
  /// Proves that break-even of graph.
  void prove(const BreakEven& foretold, const ProofSettings& proof = {}) {
    comparison.measurements[2].break_even = foretold;
    prove_break_even(bench, comparison, proof, listener);
  }
  const Price& price(std::size_t variant) const { return *comparison.measurements[variant].price; }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(pricing)

BOOST_FIXTURE_TEST_CASE(every_set_up_is_kept_in_parts, Fixture) {
  run();
  for (std::size_t v = 0; v < 3; ++v) {
    const Price& p = price(v);
    BOOST_TEST_REQUIRE(p.setup_us.size() == settings.most);
    BOOST_TEST_REQUIRE(p.phases.size() == 3u);
    BOOST_TEST(p.phases[0].name == "streams");
    BOOST_TEST(p.phases[1].name == "capture");
    BOOST_TEST(p.phases[2].name == "other");
    // A second for 3 x 15 set-ups: 22 ms each, for passes of 1 ms and of half that.
    BOOST_TEST_REQUIRE(p.passes_us.size() == (v == 2 ? 32u : 16u));
    for (std::size_t i = 0; i < settings.most; ++i) {
      BOOST_TEST(p.phases[0].values[i] + p.phases[1].values[i] + p.phases[2].values[i] ==
                 p.setup_us[i]);
      BOOST_TEST(p.setup_us[i] == p.setup_us[0] + static_cast<double>(i));
      BOOST_TEST(p.teardown_us[i] == 9);
      BOOST_TEST(p.device_bytes[i] == 1000 + v);
    }
  }
  BOOST_TEST(price(0).passes_us[0][0] == 1010);
  BOOST_TEST(price(0).passes_us[3][14] == 1000);
  BOOST_TEST(price(1).pool_used_high_bytes.value() == 100u);
  BOOST_TEST(price(1).pool_reserved_high_bytes.value() == 200u);
  BOOST_TEST(!price(1).graph_reserved_bytes);
  BOOST_TEST(!price(0).pool_used_high_bytes);
}

BOOST_FIXTURE_TEST_CASE(priming_is_what_the_first_pass_spends_more_in_the_pool, Fixture) {
  run();
  BOOST_TEST(price(0).priming_us.empty());
  BOOST_TEST_REQUIRE(price(1).priming_us.size() == settings.most);
  BOOST_TEST(price(1).priming_us[0] == 25);
}

BOOST_FIXTURE_TEST_CASE(rounds_are_shuffled_and_one_variant_is_set_up_at_a_time, Fixture) {
  run();
  BOOST_TEST(bench.alive == -1);
  BOOST_TEST_REQUIRE(bench.order.size() == 3 * settings.most);
  std::set<std::size_t> firsts;
  for (std::size_t i = 0; i < bench.order.size(); i += 3) {
    const std::set<std::size_t> round(&bench.order[i], &bench.order[i] + 3);
    BOOST_TEST(round.size() == 3u);
    firsts.insert(bench.order[i]);
  }
  BOOST_TEST(firsts.size() > 1u);
}

BOOST_FIXTURE_TEST_CASE(when_the_time_is_up_the_fewest_have_been_made, Fixture) {
  settings.seconds = 1e-9;
  run();
  for (std::size_t v = 0; v < 3; ++v) BOOST_TEST(price(v).setup_us.size() == settings.fewest);
}

BOOST_FIXTURE_TEST_CASE(dropped_variants_are_set_up_the_fewest_times, Fixture) {
  comparison.measurements[1].dropped_after = 6;
  run();
  BOOST_TEST(price(0).setup_us.size() == settings.most);
  BOOST_TEST(price(1).setup_us.size() == settings.fewest);
  BOOST_TEST(price(2).setup_us.size() == settings.most);
}

BOOST_FIXTURE_TEST_CASE(long_passes_are_few_and_announced, Fixture) {
  comparison.measurements[1] = made_up("pool", 900, 3'000'000);
  summarise(comparison);
  std::vector<std::string> phases;
  listener.phase = [&](const std::string& phase) { phases.push_back(phase); };
  run();
  BOOST_TEST(price(1).passes_us.size() == 1u);
  BOOST_TEST(phases == std::vector<std::string>{"pricing set-ups, which takes about 18 s"},
             boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(only_what_was_measured_is_priced, Fixture) {
  comparison.measurements[1].status = Status::not_supported;
  run();
  BOOST_TEST(bench.setups[1] == 0);
  BOOST_TEST(!comparison.measurements[1].price);
  BOOST_TEST(price(2).setup_us.size() == settings.most);
}

BOOST_FIXTURE_TEST_CASE(one_that_throws_is_torn_down_failed_and_set_up_no_more, Fixture) {
  bench.on_call = [this](const std::string& what, std::size_t v) {
    if (what == "pass" && v == 1 && bench.setups[1] == 3) throw std::runtime_error("gave up");
  };
  run();
  BOOST_TEST((comparison.measurements[1].status == Status::failed));
  BOOST_TEST(comparison.measurements[1].message == "gave up");
  BOOST_TEST(!comparison.measurements[1].wall);
  BOOST_TEST(!comparison.measurements[1].price);
  BOOST_TEST(bench.setups[1] == 3);
  BOOST_TEST(bench.alive == -1);
  BOOST_TEST(price(0).setup_us.size() == settings.most);
  BOOST_TEST((comparison.measurements[2].status == Status::ok));
}

BOOST_FIXTURE_TEST_CASE(a_sticky_error_ends_it_and_the_others_keep_what_was_measured, Fixture) {
  bench.on_call = [this](const std::string& what, std::size_t v) {
    if (what != "set up" || v != 2 || bench.setups[2] < 2) return;
    bench.is_lost = true;
    throw std::runtime_error("illegal address");
  };
  run();
  BOOST_TEST(comparison.stopped == "lost");
  BOOST_TEST((comparison.measurements[2].status == Status::failed));
  BOOST_TEST(bench.order.back() == 2u);
  for (const std::size_t other : {0u, 1u}) {
    BOOST_TEST((comparison.measurements[other].status == Status::ok));
    BOOST_TEST(comparison.measurements[other].wall.has_value());
  }
}

BOOST_FIXTURE_TEST_CASE(an_interrupt_ends_it_after_the_set_up_at_hand, Fixture) {
  listener.interrupted = [this] { return bench.order.size() >= 4; };
  run();
  BOOST_TEST(bench.order.size() == 4u);
  BOOST_TEST(bench.alive == -1);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(proof)

BOOST_FIXTURE_TEST_CASE(real_sequences_cross_where_they_do_and_not_where_foretold, Fixture) {
  prove({.pays = Pays::later, .passes = 10, .low = 9, .high = 11});
  const auto& crossing = comparison.measurements[2].break_even->crossing;
  BOOST_TEST_REQUIRE(crossing.has_value());
  BOOST_TEST(crossing->sequences == 100u);
  BOOST_TEST(crossing->run == 20u);
  // 2000 us at 500 us a pass. The set-ups grow alike: nearly no difference.
  BOOST_TEST(crossing->passes.value() == 4, boost::test_tools::tolerance(1e-2));
  BOOST_TEST(crossing->low.value() <= 4.1);
  BOOST_TEST(crossing->high.value() >= 3.9);
}

BOOST_FIXTURE_TEST_CASE(prices_are_taken_anew_between_the_sequences, Fixture) {
  run();
  find_break_even(comparison);
  BOOST_TEST_REQUIRE(comparison.measurements[2].break_even->passes.has_value());
  bench = TimesBench({{50, 10, 1000}, {80, 30, 1000, 20, 25}, {3050, 10, 500}});
  prove_break_even(bench, comparison, {.most = 50, .pricing = settings}, listener);
  BOOST_TEST(bench.setups[0] == 100);  // the reference
  BOOST_TEST(bench.setups[1] == 50);   // nothing is predicted: it is only priced
  BOOST_TEST(bench.setups[2] == 100);
  BOOST_TEST(price(2).setup_us.size() == 50u);
  BOOST_TEST(price(2).passes_us.size() == 32u);
  // Predicted from the new prices, 3000 us at 500 us a pass, and confirmed.
  const auto& break_even = comparison.measurements[2].break_even;
  BOOST_TEST_REQUIRE(break_even.has_value());
  BOOST_TEST(break_even->passes.value() == 6, boost::test_tools::tolerance(2e-2));
  BOOST_TEST(break_even->crossing.value().passes.value() == 6, boost::test_tools::tolerance(2e-2));
  // Consecutive ones would all have the same neighbours.
  bool twice = false;
  for (std::size_t i = 1; i < bench.order.size(); ++i) {
    twice |= bench.order[i] == bench.order[i - 1];
  }
  BOOST_TEST(twice);
}

BOOST_FIXTURE_TEST_CASE(a_slow_proof_ends_after_its_fewest_sequences, Fixture) {
  prove({.pays = Pays::later, .passes = 10}, {.fewest = 12, .seconds = 0.1});
  BOOST_TEST(bench.setups[0] == 24);
}

BOOST_FIXTURE_TEST_CASE(a_proof_that_a_slow_reference_makes_long_is_left_out, Fixture) {
  // 8 passes of 0.5 ms and of 1 ms beside them: 12 ms.
  prove({.pays = Pays::later, .passes = 4}, {.sequence_seconds = 0.011});
  BOOST_TEST(bench.order.empty());
  prove({.pays = Pays::later, .passes = 4}, {.sequence_seconds = 0.013});
  BOOST_TEST(!bench.order.empty());
}

BOOST_FIXTURE_TEST_CASE(what_does_not_cross_in_the_passes_run_is_not_crossed, Fixture) {
  bench = TimesBench({{50, 0, 1000}, {80, 0, 1000}, {50'000, 0, 500}});
  prove({.pays = Pays::later, .passes = 1});
  const auto& crossing = comparison.measurements[2].break_even->crossing;
  BOOST_TEST_REQUIRE(crossing.has_value());
  BOOST_TEST(!crossing->passes);
  BOOST_TEST(crossing->run == 8u);
}

BOOST_FIXTURE_TEST_CASE(nothing_is_run_where_no_crossing_is_foretold_or_it_is_too_far, Fixture) {
  comparison.measurements[1].break_even = BreakEven{.pays = Pays::never};
  prove({.pays = Pays::later, .passes = 1e6});
  BOOST_TEST(bench.order.empty());
  prove({.pays = Pays::at_once, .passes = 0});
  BOOST_TEST(bench.order.empty());
}

BOOST_FIXTURE_TEST_CASE(an_interrupted_proof_is_none, Fixture) {
  listener.interrupted = [this] { return bench.order.size() >= 9; };
  prove({.pays = Pays::later, .passes = 4});
  BOOST_TEST(bench.order.size() == 9u);
  BOOST_TEST(!comparison.measurements[2].break_even->crossing);
}

BOOST_AUTO_TEST_SUITE_END()
