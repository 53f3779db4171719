// The harness with a fake bench: the order of variants, the effect of failures, and the end.
#include "common/measure/rounds/harness.hpp"

#include "common/measure/rounds/contest.hpp"
#include "tests/measure/harness/fake_bench.hpp"

BOOST_AUTO_TEST_SUITE(harness)

constexpr std::size_t samples_in_turn = 2;

using Fixture = HarnessFixture;

std::vector<std::size_t> turns(const FakeBench& bench) {
  std::vector<std::size_t> order;
  for (std::size_t i = 1; i < bench.calls.size(); ++i) {
    if (bench.calls[i].first == "sample" && bench.calls[i - 1].first == "pass") {
      order.push_back(bench.calls[i].second);
    }
  }
  return order;
}

BOOST_FIXTURE_TEST_CASE(phases_come_in_order, Fixture) {
  run();
  std::vector<std::string> first;  // the kinds of calls in the order of their first occurrence
  for (const auto& [what, variant] : bench.calls) {
    if (std::ranges::find(first, what) == first.end()) first.push_back(what);
  }
  const std::vector<std::string> wanted{"set up",   "pass",   "input",  "check",
                                        "evidence", "sample", "device", "tear down"};
  BOOST_TEST(first == wanted, boost::test_tools::per_element());
  BOOST_TEST(bench.calls.back().first == "tear down");
  for (std::size_t v = 0; v < 3; ++v) {
    BOOST_TEST(bench.count("set up", v) == 1u);
    BOOST_TEST(bench.count("tear down", v) == 1u);
    BOOST_TEST(comparison.measurements[v].setup_us == 5);
    BOOST_TEST(comparison.measurements[v].teardown_us == 7);
  }
  BOOST_TEST(comparison.measurements[1].first_pass_us == 2000);
}

BOOST_FIXTURE_TEST_CASE(checks_come_before_between_and_after_the_samples_on_new_input, Fixture) {
  run();
  std::vector<std::size_t> inputs, samples;
  for (std::size_t i = 0; i < bench.calls.size(); ++i) {
    if (bench.calls[i].first == "input") inputs.push_back(i);
    if (bench.calls[i].first == "sample") samples.push_back(i);
    if (bench.calls[i].first == "check") {
      BOOST_TEST((bench.calls[i - 1].first == "input" || bench.calls[i - 1].first == "check"));
    }
  }
  const auto before = std::ranges::count_if(inputs, [&](auto i) { return i < samples.front(); });
  const auto after = std::ranges::count_if(inputs, [&](auto i) { return i > samples.back(); });
  BOOST_TEST(before == 2);
  BOOST_TEST(after == 1);
  BOOST_TEST(static_cast<std::ptrdiff_t>(inputs.size()) > before + after);
  for (std::size_t v = 0; v < 3; ++v) {
    BOOST_TEST(comparison.measurements[v].checked_passes == inputs.size());
  }
}

BOOST_FIXTURE_TEST_CASE(the_gpu_is_warmed_between_a_check_and_the_next_sample, Fixture) {
  run();
  std::size_t passes = 0, after_checks = 0;
  std::string before;
  for (const auto& [what, variant] : bench.calls) {
    if (what == "pass") {
      ++passes;
      continue;
    }
    if (what == "sample" && (before == "check" || before == "evidence")) {
      BOOST_TEST(passes >= 3u);  // 3 ms of them to warm up, and the turn's untimed one
      ++after_checks;
    }
    before = what;
    passes = 0;
  }
  BOOST_TEST(after_checks >= 2u);  // before the first round, and between rounds
}

BOOST_FIXTURE_TEST_CASE(every_round_gives_each_variant_one_turn_of_one_untimed_pass, Fixture) {
  run();
  const auto order = turns(bench);
  BOOST_TEST_REQUIRE(order.size() == 3 * comparison.rounds);
  for (std::size_t round = 0; round < comparison.rounds; ++round) {
    const auto begin = order.begin() + static_cast<std::ptrdiff_t>(3 * round);
    BOOST_TEST(std::set<std::size_t>(begin, begin + 3).size() == 3u);
  }
  for (std::size_t v = 0; v < 3; ++v) {
    BOOST_TEST(comparison.measurements[v].samples.size() == samples_in_turn * comparison.rounds);
  }
}

BOOST_AUTO_TEST_CASE(a_turn_waits_for_a_fast_host_but_not_for_ever) {
  FakeBench bench({10});
  std::vector<double> speeds{8, 20, 9, 8.7, 9, 9, 9, 9};
  std::size_t asked = 0;
  bench.host_speed_us = [&] { return speeds.at(asked++); };
  const TurnPlan plan{.untimed = 2, .more_untimed = 3, .samples = 1};
  const auto passes = [&] {
    const std::size_t before = bench.count("pass", 0);
    const double host_us = bench.turn(0, plan).at(0).host_us;
    return std::pair(bench.count("pass", 0) - before, host_us);
  };
  BOOST_TEST((passes() == std::pair<std::size_t, double>(2, 8)));    // the fastest so far
  BOOST_TEST((passes() == std::pair<std::size_t, double>(4, 8.7)));  // within a tenth of it
  BOOST_TEST((passes() == std::pair<std::size_t, double>(5, 9)));    // the allowed number of times
}

BOOST_FIXTURE_TEST_CASE(the_order_is_shuffled_from_the_seed, Fixture) {
  run();
  Fixture same, other;
  same.run();
  other.comparison = comparison_of(3, 2);
  other.run();
  BOOST_TEST((turns(bench) == turns(same.bench)));
  BOOST_TEST((turns(bench) != turns(other.bench)));
  const auto order = turns(bench);
  std::set<std::size_t> firsts;
  for (std::size_t i = 0; i < order.size(); i += 3) firsts.insert(order[i]);
  BOOST_TEST(firsts.size() == 3u);
}

BOOST_FIXTURE_TEST_CASE(samples_name_their_round_and_whose_turn_came_before, Fixture) {
  run();
  const auto order = turns(bench);
  std::vector<std::size_t> seen(3, 0);
  for (std::size_t turn = 0; turn < order.size(); ++turn) {
    const std::size_t v = order[turn];
    const Sample& sample = comparison.measurements[v].samples[seen[v]];
    seen[v] += samples_in_turn;
    BOOST_TEST(sample.round == turn / 3);
    BOOST_TEST(sample.after == (turn == 0 ? v : order[turn - 1]));
  }
}

BOOST_FIXTURE_TEST_CASE(it_stops_when_the_time_is_up, Fixture) {
  run();
  BOOST_TEST(comparison.stopped == "time");
  BOOST_TEST(comparison.seconds >= 1);
  BOOST_TEST(comparison.rounds >= settings.min_rounds);
}

BOOST_FIXTURE_TEST_CASE(it_stops_when_the_intervals_are_narrow_but_not_before_min_rounds, Fixture) {
  settings.seconds = 1000;
  settings.judge = Contest(0.5, settings.min_rounds);
  run();
  BOOST_TEST(comparison.stopped == "precision");
  BOOST_TEST(comparison.rounds == settings.min_rounds);
}

BOOST_FIXTURE_TEST_CASE(without_the_reference_precision_cannot_end_it, Fixture) {
  settings.judge = Contest(0.5, settings.min_rounds);
  comparison.reference = "";
  run();
  BOOST_TEST(comparison.stopped == "time");
}

BOOST_FIXTURE_TEST_CASE(long_passes_get_shorter_turns_and_batches, Fixture) {
  comparison.batch = 8;
  settings.seconds = 0.3;
  run();
  BOOST_TEST(comparison.batch < 8u);
  BOOST_TEST((bench.batches == std::set{comparison.batch}));
  BOOST_TEST(comparison.measurements[0].samples.size() == comparison.rounds);
  BOOST_TEST(comparison.seconds < 1);
}

BOOST_FIXTURE_TEST_CASE(passes_too_long_for_the_time_still_give_an_interval, Fixture) {
  settings.seconds = 0.001;
  run();
  BOOST_TEST(comparison.stopped == "time");
  BOOST_TEST(comparison.rounds == 6u);
}

BOOST_FIXTURE_TEST_CASE(an_interrupt_stops_it_between_turns, Fixture) {
  int asked = 0;
  listener.interrupted = [&] { return ++asked > 40; };
  run();
  BOOST_TEST(comparison.stopped == "interrupted");
  BOOST_TEST(bench.calls.back().first == "tear down");
  BOOST_TEST(comparison.measurements[0].checked_passes == 2u);  // none at the end
}

BOOST_FIXTURE_TEST_CASE(wrong_data_takes_a_variant_out_and_no_other, Fixture) {
  bench.wrong = [](std::size_t v) { return v == 1 ? "wrong data" : ""; };
  run();
  BOOST_TEST((comparison.measurements[1].status == Status::failed));
  BOOST_TEST(comparison.measurements[1].message == "wrong data");
  BOOST_TEST(bench.count("sample", 1) == 0u);
  BOOST_TEST(bench.count("tear down", 1) == 1u);
  BOOST_TEST((comparison.measurements[2].status == Status::ok));
  BOOST_TEST(bench.count("sample", 2) > 0u);
}

BOOST_FIXTURE_TEST_CASE(wrong_data_after_the_last_sample_still_counts, Fixture) {
  bench.wrong = [this](std::size_t v) {
    return v == 2 && bench.count("sample", 2) > 0 ? "wrong data" : "";
  };
  run();
  BOOST_TEST((comparison.measurements[2].status == Status::failed));
  BOOST_TEST(!comparison.measurements[2].wall);
}

BOOST_FIXTURE_TEST_CASE(evidence_against_the_plan_is_a_failure, Fixture) {
  comparison.measurements[1].plan.facts[0].value = 5;
  run();
  BOOST_TEST((comparison.measurements[1].status == Status::failed));
  BOOST_TEST(comparison.measurements[1].message.find("streams") != std::string::npos);
  BOOST_TEST((comparison.measurements[0].status == Status::ok));
}

BOOST_FIXTURE_TEST_CASE(an_exception_takes_a_variant_out_and_no_other, Fixture) {
  bench.on_call = [](const std::string& what, std::size_t v) {
    if (what == "set up" && v == 0) throw std::runtime_error("no memory");
    if (what == "sample" && v == 2) throw std::runtime_error("gave up");
  };
  run();
  BOOST_TEST(comparison.measurements[0].message == "no memory");
  BOOST_TEST(bench.count("tear down", 0) == 0u);  // it was never set up
  BOOST_TEST(comparison.measurements[2].message == "gave up");
  BOOST_TEST(bench.count("sample", 2) == 1u);
  BOOST_TEST((comparison.measurements[1].status == Status::ok));
  BOOST_TEST(comparison.measurements[1].wall.has_value());
}

BOOST_FIXTURE_TEST_CASE(a_sticky_error_ends_everything_and_says_who_did_not_run, Fixture) {
  bench.lose_in("sample", 1);
  run();
  BOOST_TEST(comparison.stopped == "lost");
  BOOST_TEST((comparison.measurements[1].status == Status::failed));
  BOOST_TEST((comparison.measurements[0].status == Status::not_run));
  BOOST_TEST(comparison.measurements[0].message.find("v1") != std::string::npos);
  BOOST_TEST((comparison.measurements[2].status == Status::not_run));
  const auto failed =
      std::ranges::find(bench.calls, std::pair<std::string, std::size_t>("sample", 1));
  for (auto call = failed + 1; call != bench.calls.end(); ++call) {
    BOOST_TEST(call->first == "tear down");
  }
}

BOOST_FIXTURE_TEST_CASE(what_is_not_supported_is_never_touched, Fixture) {
  comparison.measurements[1].status = Status::not_supported;
  run();
  for (const auto& [what, variant] : bench.calls) BOOST_TEST(variant != 1u, what);
  BOOST_TEST((comparison.measurements[1].status == Status::not_supported));
}

BOOST_FIXTURE_TEST_CASE(when_everyone_fails_it_ends, Fixture) {
  bench.wrong = [](auto) { return std::string("wrong data"); };
  run();
  BOOST_TEST(comparison.stopped == "error");
  BOOST_TEST(comparison.rounds == 0u);
}

BOOST_FIXTURE_TEST_CASE(batches_are_checked_as_they_are_measured_and_single_passes_too, Fixture) {
  comparison.batch = 3;
  run();
  BOOST_TEST((bench.checked_batches == std::set<std::uint32_t>{1, 3}));
}

BOOST_FIXTURE_TEST_CASE(a_sticky_error_is_one_when_nobody_else_was_left_too, Fixture) {
  comparison = comparison_of(1);
  bench.lose_in("sample", 0);
  run();
  BOOST_TEST(comparison.stopped == "lost");
}

BOOST_FIXTURE_TEST_CASE(a_sticky_error_in_a_tear_down_counts_against_the_first_alone, Fixture) {
  bench.on_call = [this](const std::string& what, std::size_t v) {
    if (what != "tear down" || v == 0) return;
    bench.is_lost = true;
    throw std::runtime_error("illegal address");
  };
  run();
  BOOST_TEST(comparison.stopped == "lost");
  BOOST_TEST((comparison.measurements[1].status == Status::failed));
  BOOST_TEST(comparison.measurements[1].message == "illegal address");
  BOOST_TEST(bench.count("tear down", 2) == 1u);
  for (const std::size_t other : {0u, 2u}) {
    BOOST_TEST((comparison.measurements[other].status == Status::ok));
    BOOST_TEST(comparison.measurements[other].wall.has_value());
  }
}

BOOST_FIXTURE_TEST_CASE(an_interrupt_before_anything_is_measured_says_so, Fixture) {
  listener.interrupted = [] { return true; };
  run();
  BOOST_TEST(comparison.stopped == "interrupted");
  for (const Measurement& measurement : comparison.measurements) {
    BOOST_TEST((measurement.status == Status::not_run));
    BOOST_TEST(measurement.message == "interrupted before it was measured");
  }
}

BOOST_FIXTURE_TEST_CASE(the_judge_drops_variants_and_ends_the_run, Fixture) {
  std::vector<std::uint32_t> asked;
  settings.judge = [&](const Comparison& so_far, std::vector<bool>& dropped) {
    asked.push_back(so_far.rounds);
    dropped[1] = so_far.rounds >= 3;
    return so_far.rounds == 8 ? "decided" : "";
  };
  run();
  BOOST_TEST(comparison.stopped == "decided");
  BOOST_TEST(comparison.rounds == 8u);
  BOOST_TEST(asked == (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8}),
             boost::test_tools::per_element());
  BOOST_TEST(comparison.measurements[0].samples.back().round == 7u);
  BOOST_TEST(comparison.measurements[1].samples.back().round == 2u);
  BOOST_TEST((comparison.measurements[1].dropped_after == 3u));
  BOOST_TEST(!comparison.measurements[0].dropped_after);
  BOOST_TEST(bench.calls.back().first == "tear down");
  BOOST_TEST(bench.count("tear down", 1) == 1u);
}

BOOST_FIXTURE_TEST_CASE(dropped_variants_are_checked_but_run_no_other_pass, Fixture) {
  std::size_t passes = 0;
  settings.judge = [&](const Comparison& so_far, std::vector<bool>& dropped) {
    if (so_far.rounds == 3) passes = bench.count("pass", 1);
    dropped[1] = so_far.rounds >= 3;
    return so_far.rounds == 30 ? "decided" : "";
  };
  run();
  BOOST_TEST(bench.count("pass", 1) == passes);  // warm-ups after checks do without it, too
  BOOST_TEST(bench.count("sample", 1) == 3 * samples_in_turn);
  BOOST_TEST(comparison.measurements[1].checked_passes ==
             comparison.measurements[0].checked_passes);
  BOOST_TEST(comparison.measurements[1].checked_passes > 3u);
}

BOOST_FIXTURE_TEST_CASE(a_ratio_pairs_the_rounds_of_a_dropped_variant_with_the_same_rounds,
                        Fixture) {
  // From the round on in which v1 is dropped, the reference takes twice as long.
  double slower = 1;
  bench.factor = [&](std::size_t v) { return v == 0 ? slower : 1; };
  settings.judge = [&](const Comparison& so_far, std::vector<bool>& dropped) {
    dropped[1] = so_far.rounds >= 10;
    if (dropped[1]) slower = 2;
    return so_far.rounds == 30 ? "decided" : "";
  };
  run();
  BOOST_TEST(comparison.measurements[1].ratio->estimate == 2, boost::test_tools::tolerance(0.1));
}

BOOST_FIXTURE_TEST_CASE(long_passes_have_no_untimed_ones_and_few_checks, Fixture) {
  bench = FakeBench({300'000, 200'000, 1000});
  run();
  const std::size_t set_up = 2, warm_ups = 2;  // one pass each, of the first variant
  BOOST_TEST(comparison.rounds == 6u);
  BOOST_TEST(bench.count("pass", 0) == set_up + warm_ups);
  BOOST_TEST(bench.count("pass", 1) == set_up);
  BOOST_TEST(bench.count("pass", 2) == set_up + comparison.rounds);
  BOOST_TEST(bench.count("check", 0) <= 6u);  // 2 before, 1 after, and not one after every round
}

BOOST_FIXTURE_TEST_CASE(samples_say_how_fast_the_host_was_before_their_turn, Fixture) {
  bench.host_speed_us = [&] { return comparison.rounds < 10 ? 10.0 : 8.0; };
  run();
  for (const Sample& sample : comparison.measurements[0].samples) {
    BOOST_TEST(sample.host_us == (sample.round < 10 ? 10 : 8));
  }
}

BOOST_AUTO_TEST_CASE(only_long_phases_name_their_time) {
  BOOST_TEST(announced("checking", 0) == "checking");
  BOOST_TEST(announced("checking", 10) == "checking");
  BOOST_TEST(announced("checking", 10.1) == "checking, which takes about 10 s");
  BOOST_TEST(announced("filling 48 GiB of host memory", 14.4) ==
             "filling 48 GiB of host memory, which takes about 14 s");
  BOOST_TEST(announced("checking", NAN) == "checking");
}

BOOST_FIXTURE_TEST_CASE(what_takes_long_is_announced_first, Fixture) {
  bench = FakeBench({1'500'000, 1000, 1000});
  const std::vector<std::string> wanted{"setting up", "checking",
                                        "measuring, which takes about 18 s", "checking again"};
  BOOST_TEST(phases_of_run() == wanted, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(long_checks_are_announced_as_soon_as_the_first_one_shows_it, Fixture) {
  bench.check_us = 4e6;
  const std::vector<std::string> wanted{"setting up", "checking",
                                        "checking, which takes about 24 s", "measuring",
                                        "checking again, which takes about 12 s"};
  BOOST_TEST(phases_of_run() == wanted, boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_judge_that_never_ends_it_leaves_that_to_the_time, Fixture) {
  settings.judge = [](const Comparison&, auto&) { return ""; };
  run();
  BOOST_TEST(comparison.stopped == "time");
}

BOOST_FIXTURE_TEST_CASE(checks_can_be_one_before_and_one_after_of_everybody, Fixture) {
  settings.checks_before = 1;
  settings.checks_between = false;
  settings.judge = [](const Comparison& so_far, std::vector<bool>& dropped) {
    dropped[2] = true;
    return so_far.rounds == 30 ? "decided" : "";
  };
  run();
  for (std::size_t variant = 0; variant < 3; ++variant) {
    BOOST_TEST(bench.count("check", variant) == 2u);
    BOOST_TEST(comparison.measurements[variant].checked_passes == 2u);
  }
  BOOST_TEST(bench.count("input", 99) == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
