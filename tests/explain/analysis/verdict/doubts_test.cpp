// Doubts about figures are found, in order, and come with a way to settle them.
#include "common/explain/analysis/verdict/derive.hpp"

#include "common/model/results/clock_limiter.hpp"
#include "tests/base/mentions.hpp"
#include "tests/model/made_up.hpp"

BOOST_AUTO_TEST_SUITE(doubts)

Measurement graph(double wall_us, std::uint32_t rounds = 21) {
  Measurement m = made_up("graph", 100, wall_us, rounds);
  m.plan.model.issuer = Issuer::graph;
  return m;
}

/// Returns five processes on a GPU with a constant clock: nothing to doubt.
Results sound() {
  Results results;
  results.context.gpu_before = {{"sm_clock_mhz", "1980"}, {"clocks_limited_by", "none"}};
  results.context.gpu_after = results.context.gpu_before;
  results.comparisons = {made_up_comparison({made_up("streams", 100, 1000), graph(500)})};
  results.comparisons[0].processes = 5;
  return results;
}

/// Returns the same with wide intervals when the time was up.
Results with_wide_intervals() {
  Results results = sound();
  results.comparisons[0].stopped = "time";
  results.comparisons[0].measurements[1].ratio = Ratio{0.5, 0.45, 0.55};
  return results;
}

/// Returns the only doubt.
std::string only(const Results& results) {
  const std::vector<std::string> all = doubts_about(results);
  BOOST_REQUIRE_EQUAL(all.size(), 1u);
  return all.front();
}

void set(std::vector<Property>& state, const std::string& name, const std::string& value) {
  std::ranges::find(state, name, &Property::first)->second = value;
}

BOOST_AUTO_TEST_CASE(a_sound_run_leaves_none) { BOOST_TEST(doubts_about(sound()).empty()); }

BOOST_AUTO_TEST_CASE(what_cannot_be_read_is_no_doubt) {
  Results results = sound();
  results.context.gpu_before.clear();
  set(results.context.gpu_after, "sm_clock_mhz", "");
  BOOST_TEST(doubts_about(results).empty());
  BOOST_TEST(doubts_about({}).empty());
}

BOOST_AUTO_TEST_CASE(the_gpu_is_doubted_for_its_own_reasons_alone) {
  Results results = with_wide_intervals();
  BOOST_TEST(doubts_about_gpu(results.context).empty());
  results.context.other_processes = {"1234 python3"};
  set(results.context.gpu_after, "sm_clock_mhz", "900");
  const std::vector<std::string> all = doubts_about_gpu(results.context);
  BOOST_REQUIRE_EQUAL(all.size(), 2u);
  BOOST_TEST(all[0].starts_with("The GPU was shared: 1234 python3."));
  BOOST_TEST(all[1].starts_with("The SM clock went from "));
}

BOOST_AUTO_TEST_CASE(other_processes_come_first_by_name) {
  Results results = sound();
  results.comparisons[0].processes = 1;
  results.context.other_processes = {"1234 python3", "5"};
  const std::vector<std::string> all = doubts_about(results);
  BOOST_REQUIRE_EQUAL(all.size(), 2u);
  BOOST_TEST(mentions(all[0], {"The GPU was shared", "1234 python3 and 5", "End them"}));
  BOOST_TEST(mentions(all[1], {"Intervals cover this process", "--processes 5"}));
}

BOOST_AUTO_TEST_CASE(clocks_that_are_held_down_are_told_from_those_that_were_set) {
  for (const ClockLimiter limiter : enumerators<ClockLimiter>) {
    Results results = sound();
    set(results.context.gpu_after, "clocks_limited_by", std::string("bit 63, ") + name_of(limiter));
    BOOST_TEST_CONTEXT(name_of(limiter)) {
      BOOST_TEST(doubts_about(results).empty() == !throttles(limiter));
      if (!throttles(limiter)) continue;
      BOOST_TEST(
          mentions(only(results), {"The GPU throttled", name_of(limiter), "nvidia-smi -lgc"}));
    }
  }
  BOOST_TEST(throttles(ClockLimiter::software_power_cap));
  BOOST_TEST(!throttles(ClockLimiter::application_clocks));
}

BOOST_AUTO_TEST_CASE(a_clock_that_moved_counts_unless_the_gpu_was_idle) {
  Results results = sound();
  set(results.context.gpu_after, "sm_clock_mhz", "1950");  // flickers
  BOOST_TEST(doubts_about(results).empty());
  set(results.context.gpu_after, "sm_clock_mhz", "1410");
  BOOST_TEST(
      mentions(only(results), {"The SM clock", "from 1980 to 1410 MHz", "nvidia-smi -lgc 1410"}));
  set(results.context.gpu_after, "clocks_limited_by", "idle");
  BOOST_TEST(doubts_about(results).empty());
}

BOOST_AUTO_TEST_CASE(a_host_that_was_slow_too_often_to_leave_that_out_is_said_if_it_mattered) {
  Results results = with_wide_intervals();
  Comparison& comparison = results.comparisons[0];
  const auto slow_until = [&](std::uint32_t round) {
    for (Measurement& m : comparison.measurements) {
      for (Sample& sample : m.samples) sample.host_us = sample.round < round ? 10 : 8;
    }
  };
  slow_until(5);
  BOOST_TEST(mentions(only(results), {"wide each way"}));
  slow_until(6);  // of 21
  const std::vector<std::string> both = doubts_about(results);
  BOOST_TEST_REQUIRE(both.size() == 2u);
  BOOST_TEST(mentions(both[0], {"slowed the host's core", "launch", "run again"}));
  for (Measurement& m : comparison.measurements) {  // as the harness leaves them
    m.set_aside.assign(m.samples.begin(), m.samples.begin() + 6);
    m.samples.erase(m.samples.begin(), m.samples.begin() + 6);
  }
  BOOST_TEST(mentions(doubts_about(results).front(), {"the host's core"}));
  comparison.measurements[1].ratio = Ratio{0.5, 0.49, 0.51};
  BOOST_TEST(doubts_about(results).empty());
}

BOOST_AUTO_TEST_CASE(a_core_that_is_slower_than_the_one_of_another_process_is_not_a_slow_host) {
  Results results = with_wide_intervals();
  Comparison& comparison = results.comparisons[0];
  comparison.processes = 2;
  for (Measurement& m : comparison.measurements) {
    for (Sample& sample : m.samples) {
      sample.process = sample.round < 10;
      sample.host_us = sample.round < 10 ? 10 : 8;
    }
  }
  BOOST_TEST(mentions(only(results), {"wide each way"}));
}

BOOST_AUTO_TEST_CASE(a_host_that_was_slow_for_some_variants_of_a_process_is_said_to_be) {
  Results results = with_wide_intervals();
  Comparison& comparison = results.comparisons[0];
  comparison.rounds = comparison.processes;  // each process gave every variant one turn
  while (comparison.measurements.size() < 8) {
    comparison.measurements.push_back(comparison.measurements[1]);
    comparison.measurements.back().variant += std::to_string(comparison.measurements.size());
  }
  for (std::size_t v = 0; v < 8; ++v) {
    for (Sample& sample : comparison.measurements[v].samples) {
      sample.round = 0;
      sample.host_us = v < 5 ? 8 : 10;
    }
  }
  BOOST_TEST(mentions(doubts_about(results).front(), {"the host's core"}));
}

BOOST_AUTO_TEST_CASE(rounds_intervals_and_regimes_name_their_workloads) {
  Results results = sound();
  Comparison& comparison = results.comparisons[0];
  comparison.regime_held = false;
  BOOST_TEST(mentions(only(results), {"launch does not", "--bounds"}));
  comparison.regime_held = true;
  comparison.measurements[1].ratio = Ratio{0.5, 0.45, 0.55};
  BOOST_TEST(doubts_about(results).empty());  // the requested precision
  comparison.stopped = "time";
  BOOST_TEST(mentions(only(results), {"10% wide each way", "launch", "Add --processes 10."}));
  comparison.measurements[1].ratio = Ratio{0.5, 0.49, 0.51};
  BOOST_TEST(doubts_about(results).empty());
  comparison.measurements[1].ratio = Ratio{0.5, 0, 2};
  BOOST_TEST(mentions(only(results), {"Too few processes", "launch", "--processes 10"}));
  comparison.processes = 1;
  BOOST_TEST(mentions(doubts_about(results).front(), {"Too few rounds", "--time 20s"}));
}

BOOST_AUTO_TEST_CASE(one_process_with_wide_intervals_needs_time) {
  Results results = with_wide_intervals();
  results.comparisons[0].processes = 1;
  BOOST_TEST(mentions(doubts_about(results).front(), {"10% wide", "Add --time 20s."}));
}

BOOST_AUTO_TEST_CASE(times_that_drift_are_said_to_and_have_no_modes) {
  Results results = sound();
  Measurement& graph = results.comparisons[0].measurements[1];
  for (Sample& sample : graph.samples) sample.wall_us = sample.round < 10 ? 382 : 442;
  BOOST_TEST(
      mentions(only(results), {"Times drift", "graph on launch, from 382 to 442 us", "means"}));
  for (Sample& sample : graph.samples) sample.wall_us = sample.round % 2 == 0 ? 382 : 442;
  BOOST_TEST(mentions(only(results), {"Times jump"}));
}

BOOST_AUTO_TEST_CASE(of_many_times_that_drift_few_are_named) {
  Results results = sound();
  Measurement& graph = results.comparisons[0].measurements[1];
  for (Sample& sample : graph.samples) sample.wall_us = sample.round < 10 ? 382 : 442;
  while (results.comparisons.size() < 7) results.comparisons.push_back(results.comparisons[0]);
  BOOST_TEST(mentions(doubts_about(results).front(), {"442 us; and 5 more. Figures"}));
}

BOOST_AUTO_TEST_CASE(simulated_times_have_their_own_reservation) {
  Results results = sound();
  results.comparisons[0].regime_held = false;
  results.comparisons[0].processes = 1;
  BOOST_TEST(doubts_about(results).size() == 2u);
  results.context.simulated = "a profile";
  BOOST_TEST(mentions(only(results), {"does not give the model's error"}));
  results.comparisons[0].measurements[1].prediction = Prediction{1.25, {}};
  BOOST_TEST(doubts_about(results).empty());
  results.comparisons[0].not_modelled = {"more than 8 lanes."};
  BOOST_TEST(only(results) == "Not modelled: more than 8 lanes.");
}

BOOST_AUTO_TEST_SUITE_END()
