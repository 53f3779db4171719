// A prediction with a fake bench: what runs, and what is recorded.
#include "common/measure/harness/pricing.hpp"

#include "common/base/console/interrupt.hpp"
#include "tests/measure/harness/fake_bench.hpp"

BOOST_AUTO_TEST_SUITE(predict)

/// A bench on which every call takes 1 us, and a pass 100 times its variant's number more.
class PredictedBench : public BenchWithClock {
 public:
  PredictedBench() { phases_ = {{"streams", 3}}; }

  void new_input() override { throw std::logic_error("a prediction needs no input"); }
  double set_up(std::size_t variant) override {
    calls.push_back(fmt::format("set up {}", variant));
    if (variant == fails) throw std::runtime_error("no memory");
    return spend(50);
  }
  double pass(std::size_t variant) override {
    calls.push_back(fmt::format("pass {}", variant));
    return spend(100.0 * static_cast<double>(variant) + 1);
  }
  Sample without_events(std::size_t variant, std::uint32_t batch) override {
    calls.push_back(fmt::format("sample {} of {}", variant, batch));
    if (variant == is_cut_short) throw Interrupted();
    return {.submit_us = 1, .wall_us = 100.0 * static_cast<double>(variant) + 1};
  }
  double tear_down(std::size_t variant) override {
    calls.push_back(fmt::format("tear down {}", variant));
    return spend(9);
  }

  std::vector<std::string> calls;
  std::size_t fails = SIZE_MAX, is_cut_short = SIZE_MAX;
};

struct Fixture {
  PredictedBench bench;
  Comparison comparison;
  HarnessListener listener;

  Fixture() {
    comparison.workload = presets().front();
    comparison.reference = "streams";
    comparison.batch = 4;
    for (const char* variant : {"streams", "graph", "pool"}) {
      Measurement m;
      m.variant = variant;
      m.status = Status::ok;
      comparison.measurements.push_back(std::move(m));
    }
  }
  void run() { predict_comparison(bench, comparison, listener); }
};

BOOST_FIXTURE_TEST_CASE(each_variant_is_set_up_once_and_takes_one_sample, Fixture) {
  run();
  const std::vector<std::string> expected{
      "set up 0", "pass 0", "pass 0", "sample 0 of 4", "tear down 0",
      "set up 1", "pass 1", "pass 1", "sample 1 of 4", "tear down 1",
      "set up 2", "pass 2", "pass 2", "sample 2 of 4", "tear down 2"};
  BOOST_TEST(bench.calls == expected, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_prediction_has_times_and_a_price_and_no_check, Fixture) {
  run();
  BOOST_TEST(comparison.stopped == "predicted");
  BOOST_TEST(comparison.rounds == 1u);
  const Measurement& graph = comparison.measurements[1];
  BOOST_TEST(graph.samples.size() == 1u);
  BOOST_TEST(graph.wall.value().median == 101);
  BOOST_TEST(graph.setup_us == 50);
  BOOST_TEST(graph.first_pass_us == 101);
  BOOST_TEST(graph.teardown_us == 9);
  BOOST_TEST(graph.price.value().setup_us.size() == 1u);
  BOOST_TEST(graph.checked_passes == 0u);
}

BOOST_FIXTURE_TEST_CASE(a_variant_that_fails_leaves_the_others, Fixture) {
  bench.fails = 1;
  run();
  BOOST_TEST((comparison.measurements[1].status == Status::failed));
  BOOST_TEST(comparison.measurements[1].message == "no memory");
  BOOST_TEST(comparison.measurements[2].samples.size() == 1u);
  BOOST_TEST(comparison.stopped == "predicted");
}

BOOST_FIXTURE_TEST_CASE(without_a_variant_left_nothing_was_predicted, Fixture) {
  comparison.measurements.resize(1);
  bench.fails = 0;
  run();
  BOOST_TEST(comparison.stopped == "error");
}

BOOST_FIXTURE_TEST_CASE(after_a_sticky_error_nothing_runs, Fixture) {
  bench.fails = 1;
  bench.is_lost = true;
  run();
  BOOST_TEST(comparison.stopped == "lost");
  BOOST_TEST((comparison.measurements[2].status == Status::not_run));
}

BOOST_FIXTURE_TEST_CASE(an_interrupt_ends_it, Fixture) {
  listener.interrupted = [this] { return bench.calls.size() >= 5; };
  run();
  BOOST_TEST(comparison.stopped == "interrupted");
  BOOST_TEST(comparison.measurements[0].samples.size() == 1u);
  BOOST_TEST((comparison.measurements[1].status == Status::not_run));
}

// Its passes give up between two of them, and the last variant has none after it.
BOOST_FIXTURE_TEST_CASE(a_variant_that_a_signal_cuts_short_is_not_predicted, Fixture) {
  bench.is_cut_short = 2;
  listener.interrupted = [this] {
    return !bench.calls.empty() && bench.calls.back() == "tear down 2";
  };
  run();
  BOOST_TEST(comparison.stopped == "interrupted");
  BOOST_TEST((comparison.measurements[2].status == Status::not_run));
  BOOST_TEST(comparison.measurements[2].message == "interrupted before it was predicted");
  BOOST_TEST(bench.calls.back() == "tear down 2");
}

BOOST_AUTO_TEST_SUITE_END()
