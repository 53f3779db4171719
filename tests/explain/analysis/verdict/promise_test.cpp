// A recorded application's replay: its answers, and the promise of a change.
#include "common/explain/analysis/verdict/derive.hpp"

#include "common/base/text/words.hpp"
#include "common/explain/analysis/verdict/promise.hpp"
#include "common/explain/analysis/verdict/verdict.hpp"
#include "common/model/results/find.hpp"
#include "tests/application/iteration/made_up_replay.hpp"
#include "tests/base/mentions.hpp"

BOOST_AUTO_TEST_SUITE(candidates)

std::string said(std::vector<Measurement> measurements) {
  return choose(made_up_replay(std::move(measurements)), Times::measured).said;
}

Measurement bound(double wall_us) {
  return candidate("fewer_waits", wall_us, Chaining::recorded_one_wait);
}

BOOST_AUTO_TEST_CASE(the_best_change_comes_with_the_share_of_the_host) {
  const std::string text =
      said({candidate("calls", 300), candidate("graph", 100), candidate("pinned", 200)});
  BOOST_TEST(text.starts_with("use graph: 3.0 times as fast as the same calls [2.9"));
  BOOST_TEST(text.ends_with(
      ", 100 instead of 300 us an iteration. Your host code stays as it is and takes 41.0 us of an "
      "iteration (41%)."));
}

BOOST_AUTO_TEST_CASE(without_a_gain_the_calls_stay) {
  const std::string text = said({candidate("calls", 300), candidate("graph", 310)});
  BOOST_TEST(text ==
             "nothing that was tried makes an iteration faster than the same calls, 300 us. Your "
             "host code stays as it is and takes 41.0 us of an iteration (14%).");
}

BOOST_AUTO_TEST_CASE(a_bound_is_no_winner_and_is_called_one) {
  const Comparison comparison =
      made_up_replay({candidate("calls", 300), candidate("graph", 100), bound(50)});
  BOOST_REQUIRE_EQUAL(comparison.winners.size(), 1u);
  BOOST_TEST(comparison.winners.front().variant == "graph");
  BOOST_REQUIRE(comparison.advice);
  BOOST_TEST(comparison.advice->use == "graph");
  const std::string text = choose(comparison, Times::measured).said;
  BOOST_TEST(text.ends_with(
      " With only the last of the host's waits: at most 6.0 times (fewer_waits, a bound)."));
  const std::string none = said({candidate("calls", 300), bound(50)});
  BOOST_TEST(none.starts_with("nothing that was tried"));
  BOOST_TEST(mentions(none, {"at most 6.0 times"}));
}

BOOST_AUTO_TEST_CASE(a_bound_that_allows_no_more_is_not_mentioned) {
  BOOST_TEST(
      !mentions(said({candidate("calls", 300), candidate("graph", 100), bound(100)}), {"at most"}));
}

BOOST_AUTO_TEST_CASE(a_loop_on_the_device_is_a_bound_with_a_kernel_of_its_own) {
  Measurement loop = candidate("graph_while", 100, Chaining::recorded_one_wait);
  loop.plan.model.issuer = Issuer::graph_loop;
  for (const std::optional<std::uint32_t> iterations : {std::optional<std::uint32_t>(), {16}}) {
    loop.plan.iterations = iterations;
    BOOST_TEST(said({candidate("calls", 300), loop})
                   .ends_with(" With a WHILE node, whose condition a further kernel sets where the "
                              "host reads a word now: about 3.0 times (graph_while, a bound)."));
  }
}

BOOST_AUTO_TEST_CASE(branches_are_a_bound_because_arguments_may_not_tell_all) {
  BOOST_TEST(
      said({candidate("calls", 300), candidate("graph_branches", 100, Chaining::recorded_memory)})
          .ends_with(" With a graph that has only the order which the memory that arguments "
                     "point to needs: at most 3.0 times (graph_branches, a bound)."));
}

Measurement together(std::uint32_t iterations, double wall_us, Chaining chaining) {
  Measurement m = candidate(fmt::format("graph_of_{}", iterations), wall_us, chaining);
  m.plan.iterations = iterations;
  m.plan.model.issuer = Issuer::graph;
  return m;
}

BOOST_AUTO_TEST_CASE(a_later_wait_is_a_bound_of_its_own) {
  Measurement lagged = together(8, 75, Chaining::recorded_one_wait);
  lagged.variant = "lagged_wait";
  lagged.plan.model.issuer = Issuer::host;
  const std::string text = said({candidate("calls", 300), candidate("graph", 200), lagged});
  BOOST_TEST(
      text.ends_with(" With each wait one iteration later, and memory for two: at most 4.0 "
                     "times (lagged_wait, a bound)."));
}

BOOST_AUTO_TEST_CASE(as_few_iterations_in_a_graph_are_advised_as_gain_the_most) {
  constexpr auto recorded = Chaining::recorded, one_wait = Chaining::recorded_one_wait;
  const std::string text =
      said({candidate("calls", 300), candidate("graph", 200), together(2, 150, recorded),
            together(4, 100, recorded), together(8, 99.9, recorded)});
  BOOST_TEST(text.starts_with("use graph_of_4: 3.0 times"));
  BOOST_TEST(mentions(text, {"us an iteration. Put 4 iterations in each graph: the host sees "
                             "results, and can stop, only once per graph. Your host code"}));
  const std::string none = said({candidate("calls", 300), candidate("graph", 100),
                                 together(2, 99.9, recorded), together(4, 99.8, recorded)});
  BOOST_TEST(none.starts_with("use graph: "));
  BOOST_TEST(!mentions(none, {"in each graph"}));
  const std::string bound =
      said({candidate("calls", 300), candidate("graph", 200), together(2, 100, one_wait),
            together(4, 75, one_wait), together(8, 74.9, one_wait)});
  BOOST_TEST(bound.starts_with("use graph: "));
  BOOST_TEST(
      bound.ends_with(" With 4 iterations in a graph, whose results the host sees only at "
                      "its end: at most 4.0 times (graph_of_4, a bound)."));
}

BOOST_AUTO_TEST_CASE(calls_that_fail_give_no_answer) {
  Measurement calls = candidate("calls", 300);
  calls.status = Status::failed;
  calls.message = "wrong data";
  BOOST_TEST(said({calls, candidate("graph", 100)}) ==
             "the same calls could not be replayed: wrong data.");
  BOOST_TEST(said({}) == "the same calls could not be replayed: they were not measured.");
}

BOOST_AUTO_TEST_CASE(every_candidate_is_a_question) {
  Measurement pool = made_up("pool", Status::not_supported, "it does not allocate");
  Measurement failed = made_up("graph_set", Status::failed, "byte 7");
  const Comparison comparison = made_up_replay({candidate("calls", 300), candidate("graph", 100),
                                                failed, candidate("pinned", 300), pool, bound(50)});
  const std::vector<Answer> answers = answers_to({&comparison, 1});
  const std::vector<std::pair<std::string, std::string>> expected{
      {"Graph?", "Yes: 3.0x; an iteration takes 200 us less."},
      {"Graph set?", "Failed: byte 7."},
      {"Pinned?", "No: no difference."},
      {"Pool?", "Does not apply: it does not allocate."},
      {"Fewer waits?", "At most 6.0x: a bound, because the host may need what it waits for."}};
  BOOST_REQUIRE_EQUAL(answers.size(), expected.size());
  for (std::size_t i = 0; i < answers.size(); ++i) {
    BOOST_TEST(answers[i].question == expected[i].first);
    BOOST_TEST(answers[i].text == expected[i].second);
  }
}

BOOST_AUTO_TEST_CASE(one_process_is_a_doubt_that_several_take_away) {
  Results results;
  results.comparisons = {made_up_replay({candidate("calls", 300), candidate("graph", 100)})};
  const std::vector<std::string> doubts = doubts_about(results);
  BOOST_REQUIRE_EQUAL(doubts.size(), 1u);
  BOOST_TEST(mentions(doubts.front(), {"Intervals cover this process", "--processes"}));
  results.comparisons.front().processes = 2;
  BOOST_TEST(doubts_about(results).empty());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(promises)

const auto near = boost::test_tools::tolerance(0.002);

Comparison replay(double calls_us, double graph_us, double application_us) {
  return made_up_replay({candidate("calls", calls_us), candidate("graph", graph_us)},
                        application_us);
}

ApplicationGain gain(const Comparison& comparison) {
  const auto found = gain_of(comparison, *find_variant(comparison, "graph"));
  BOOST_REQUIRE(found);
  return *found;
}

std::string said(const Comparison& comparison) { return choose(comparison, Times::measured).said; }

/// Returns a comparison in which some of the graph's passes take longer.
Comparison with_modes(double graph_us, double slow_us) {
  Comparison comparison = replay(31.8, graph_us, 31.8);
  Measurement& graph = comparison.measurements.back();
  for (std::size_t i = 0; i < graph.samples.size(); ++i) {
    if (i % 5 < 2) graph.samples[i].wall_us *= slow_us / graph_us;
  }
  derive(comparison, "");
  return comparison;
}

/// Returns a comparison in which the graph takes another share of the application's time in each
/// process.
Comparison in_processes(const std::vector<double>& ratios) {
  Comparison comparison = made_up_replay({candidate("calls", 100), candidate("graph", 100)}, 100,
                                         static_cast<std::uint32_t>(ratios.size()));
  for (Measurement& m : comparison.measurements) {
    const std::vector<Sample> one = m.samples;
    m.samples.clear();
    for (std::uint32_t process = 0; process < ratios.size(); ++process) {
      for (Sample sample : one) {
        sample.process = process;
        if (m.variant == "graph") sample.wall_us *= ratios[process];
        m.samples.push_back(sample);
      }
    }
  }
  derive(comparison, "");
  return comparison;
}

BOOST_AUTO_TEST_CASE(it_is_the_application_against_the_candidate) {
  const ApplicationGain found = gain(replay(300, 100, 300));
  BOOST_TEST(found.application_us == 300, near);
  BOOST_TEST(found.calls_us == 300, near);
  BOOST_TEST(found.candidate_us == 100, near);
  BOOST_TEST(found.ratio.estimate == 1.0 / 3, near);
  BOOST_TEST(found.kept);
}

/// The double buffers of issue 36.
BOOST_AUTO_TEST_CASE(a_gain_over_a_replay_that_is_slower_than_the_application_is_no_promise) {
  const Comparison comparison = replay(825, 678, 679);
  BOOST_TEST(!gain(comparison).kept);
  BOOST_TEST(gain(comparison).candidate_us == 678, near);
  const Choice choice = choose(comparison, Times::measured);
  BOOST_TEST(choice.use->variant == "calls");
  BOOST_TEST(choice.said.starts_with(
      "no gain is promised: the application takes 679 us an iteration, and graph, the best that "
      "was tried, 678 us. It gains only over the same calls, replayed, which take 825 us, 22% more "
      "than the application: the host waits"));
  BOOST_TEST(!mentions(choice.said, {"times as fast"}));
}

BOOST_AUTO_TEST_CASE(the_reason_is_the_host_where_its_code_and_calls_alone_take_longer) {
  Comparison comparison = replay(825, 678, 679);
  comparison.host_us = 400;  // and 412 in calls
  BOOST_TEST(mentions(said(comparison), {"its host code, which was timed in early iterations"}));
}

BOOST_AUTO_TEST_CASE(the_reason_is_a_wait_only_where_the_application_has_none) {
  const char* const ahead = "the host waits for the device there, but may run ahead";
  Comparison comparison = replay(825, 678, 679);
  BOOST_TEST(mentions(said(comparison), {ahead}));
  comparison.mode = Mode::throughput;  // so does the replay
  BOOST_TEST(!mentions(said(comparison), {ahead}));
  comparison.mode = Mode::latency;
  comparison.workload.recorded->waits = 1;
  BOOST_TEST(!mentions(said(comparison), {ahead}));
}

BOOST_AUTO_TEST_CASE(the_reason_is_the_kernels_where_they_take_longer_than_the_application) {
  Comparison comparison = replay(825, 678, 679);
  comparison.host_us = 400;
  const auto words = [&](double device_us) { return choose_candidate(comparison, device_us).said; };
  BOOST_TEST(!mentions(words(680), {"the GPU needs"}));
  BOOST_TEST(mentions(words(700), {"more than the application: the GPU needs 700 us for them. The "
                                   "host ran ahead of it while the application was watched, or "
                                   "kernels take longer in the replay"}));
  comparison.workload.recorded->waits = 1;
  BOOST_TEST(mentions(words(700), {"It seems that kernels take longer in the replay"}));
}

BOOST_AUTO_TEST_CASE(long_times_are_milliseconds) {
  BOOST_TEST(mentions(said(replay(30000, 14072, 30000)), {", 14.1 ms instead of 30.0 ms an iter"}));
  BOOST_TEST(
      mentions(said(replay(1500, 700, 1500)), {", 700 us instead of 1.50 ms an iteration."}));
}

BOOST_AUTO_TEST_CASE(what_the_replay_lacks_stays_with_the_candidate) {
  const ApplicationGain found = gain(replay(100, 50, 200));
  BOOST_TEST(found.candidate_us == 150, near);
  BOOST_TEST(found.ratio.estimate == 0.75, near);
  BOOST_TEST(found.ratio.low < 0.51);  // as fast as in the replay: 50 of 100
  BOOST_TEST(found.kept);
}

BOOST_AUTO_TEST_CASE(the_interval_holds_what_the_replay_gained) {
  const ApplicationGain found = gain(replay(825, 400, 679));
  BOOST_TEST(found.ratio.estimate == 400.0 / 679, near);
  BOOST_TEST(found.ratio.low < 400.0 / 825);
  BOOST_TEST(found.kept);
}

BOOST_AUTO_TEST_CASE(what_cupti_adds_is_not_of_the_application) {
  Comparison comparison = replay(300, 100, 320);
  comparison.watched->cupti_us = 20;
  BOOST_TEST(gain(comparison).application_us == 300, near);
}

BOOST_AUTO_TEST_CASE(one_process_allows_for_what_others_differ_by) {
  const Ratio ratio = gain(replay(300, 100, 300)).ratio;
  BOOST_TEST(std::log(ratio.high / ratio.estimate) >= 1.96 * between_processes);
  BOOST_TEST(std::log(ratio.high / ratio.estimate) < 0.25);
  BOOST_CHECK(ratio.covers == Covers::rounds);
  BOOST_TEST(mentions(said(replay(300, 100, 300)), {"as the application in this process ["}));
}

BOOST_AUTO_TEST_CASE(a_gain_within_what_processes_differ_by_is_no_promise) {
  BOOST_TEST(!gain(replay(300, 290, 300)).kept);
  BOOST_TEST(
      said(replay(300, 290, 300)) ==
      "no gain is promised: the application takes 300 us an iteration, and graph, the best that "
      "was tried, 290 us. One process cannot resolve such a difference; --processes 5 may.");
  BOOST_TEST(gain(replay(300, 230, 300)).kept);
}

BOOST_AUTO_TEST_CASE(what_the_replay_differs_by_is_the_reason_only_if_it_takes_much_of_the_gain) {
  for (const double calls_us : {304, 296}) {
    BOOST_TEST(mentions(said(replay(calls_us, 280, 300)), {"One process cannot resolve"}));
  }
  BOOST_TEST(mentions(said(replay(260, 252, 270)), {"It gains only over the same calls"}));
}

BOOST_AUTO_TEST_CASE(another_process_may_keep_to_one_mode) {
  const ApplicationGain found = gain(with_modes(18, 25.5));
  // 9 of 21 rounds are slow.
  BOOST_TEST(found.candidate_us == (12 * 18 + 9 * 25.5) / 21, boost::test_tools::tolerance(0.01));
  BOOST_TEST(found.ratio.low < 18 / 31.8);
  BOOST_TEST(found.ratio.high > 25.5 / 31.8);
  BOOST_TEST(mentions(said(with_modes(18, 25.5)),
                      {"The replay of graph takes 18.0 us or 25.5 us, in 57% and 43% of the "
                       "passes."}));
  BOOST_TEST(!mentions(said(with_modes(18, 18)), {"The replay of"}));
}

BOOST_AUTO_TEST_CASE(modes_of_the_application_count_too) {
  Comparison comparison = replay(30, 20, 30);
  const Ratio before = gain(comparison).ratio;
  for (std::size_t i = 0; i < comparison.watched->times.size(); i += 4) {
    comparison.watched->times[i].us = 50;
  }
  const Ratio after = gain(comparison).ratio;
  BOOST_TEST(after.high / after.estimate > 1.03 * before.high / before.estimate);
  BOOST_TEST(mentions(said(comparison), {"The application takes 30.0 us or 50.0 us, in 75% and 25% "
                                         "of the iterations."}));
}

BOOST_AUTO_TEST_CASE(an_application_that_drifts_is_said_to) {
  Comparison comparison = replay(30, 20, 30);
  std::vector<WatchedTime>& times = comparison.watched->times;
  for (std::size_t i = times.size() / 2; i < times.size(); ++i) times[i].us = 50;
  BOOST_TEST(
      mentions(said(comparison), {"The application's iterations drift from 30.0 to 50.0 us."}));
  BOOST_TEST(!mentions(said(comparison), {"of the iterations"}));
}

BOOST_AUTO_TEST_CASE(several_processes_are_their_own_measure) {
  const Comparison comparison = in_processes({0.5, 0.6, 0.55});
  const Ratio ratio = gain(comparison).ratio;
  BOOST_TEST(ratio.estimate == std::cbrt(0.5 * 0.6 * 0.55), near);
  BOOST_CHECK(ratio.covers == Covers::processes);
  BOOST_TEST(ratio.high > 0.65);  // t with 2 degrees of freedom
  const Ratio alike = gain(in_processes({0.5, 0.5, 0.5})).ratio;
  BOOST_TEST(alike.high < 0.51);
  BOOST_TEST(mentions(said(comparison), {"as the application in 3 processes ["}));
}

BOOST_AUTO_TEST_CASE(a_bound_that_the_application_already_reaches_is_not_mentioned) {
  const auto with_bound = [](double bound_us) {
    return said(made_up_replay(
        {candidate("calls", 825), candidate("fewer_waits", bound_us, Chaining::recorded_one_wait)},
        679));
  };
  BOOST_TEST(!mentions(with_bound(690), {"at most"}));
  BOOST_TEST(mentions(with_bound(340), {"at most 2.0 times"}));
}

BOOST_AUTO_TEST_CASE(a_bound_is_mentioned_where_no_gain_is_promised) {
  const std::string text =
      said(made_up_replay({candidate("calls", 825), candidate("graph", 678),
                           candidate("fewer_waits", 340, Chaining::recorded_one_wait)},
                          679));
  BOOST_TEST(mentions(text, {"no gain is promised", "at most 2.0 times (fewer_waits, a bound)"}));
}

BOOST_AUTO_TEST_CASE(answers_are_about_the_application) {
  const auto answer = [](const Comparison& comparison) {
    return answers_to({&comparison, 1}).front().text;
  };
  BOOST_TEST(answer(replay(300, 100, 300)) == "Yes: 3.0x; an iteration takes 200 us less.");
  BOOST_TEST(answer(replay(825, 678, 679)) ==
             "No gain is promised: it gains over the same calls, not over the application.");
  BOOST_TEST(answer(replay(300, 300, 300)) == "No: no difference.");
  BOOST_TEST(answer(replay(300, 400, 300)) == "No: 0.75x.");
}

BOOST_AUTO_TEST_CASE(without_iterations_of_the_application_it_is_against_the_same_calls) {
  Comparison comparison = replay(300, 100, 300);
  comparison.watched->times.resize(2);
  BOOST_TEST(!gain_of(comparison, comparison.measurements.back()));
  BOOST_TEST(mentions(said(comparison), {"as the same calls"}));
}

/// "1.21 times as fast ..., 561 instead of 679 us": by the displayed digits.
BOOST_AUTO_TEST_CASE(ratio_and_times_of_a_sentence_never_contradict_each_other) {
  const std::regex sentence(
      R"(use graph: ([\d.]+) times as fast .*, ([\d.]+)( .s)? instead of ([\d.]+) (.s))");
  int promised = 0;
  for (int i = 0; i < 300; ++i) {
    const double application_us = 9.3 * std::pow(1.031, i);
    const double graph_us = application_us * (0.3 + 0.0019 * i);
    const std::string text = said(replay(application_us * 1.02, graph_us, application_us));
    std::smatch found;
    if (!std::regex_search(text, found, sentence)) continue;
    ++promised;
    const double unit = found[3].matched && found[3] != " " + found[5].str() ? 1000 : 1;
    BOOST_TEST(said_speed(unit * std::stod(found[4]) / std::stod(found[2])) == found[1].str(),
               text);
  }
  BOOST_TEST(promised > 200);
}

BOOST_AUTO_TEST_SUITE_END()
