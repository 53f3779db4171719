// Verdicts on two runs, and how often they are wrong.
#include "common/explain/report/diff_runs.hpp"

#include "common/base/text/exit_code.hpp"
#include "common/base/text/size.hpp"
#include "common/explain/statistics/interval.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "tests/base/refusal.hpp"
#include "tests/explain/report/made_up_run.hpp"

BOOST_AUTO_TEST_SUITE(judging)

/// The change of the one variant whose wall time goes from 100 to `us`.
struct Judged {
  Judged(double us, std::uint32_t processes_before, std::uint32_t processes_now,
         const DiffRequest& request = {})
      : before(run_with("old", {comparison_of({{"graph", 100, processes_before}}, draw)})),
        now(run_with("new", {comparison_of({{"graph", us, processes_now}}, draw)})),
        runs(diff_runs(before, now, request)) {}
  const VariantChange& change() const { return runs.workloads.at(0).changes.at(0); }

  Draw draw{5};
  RunFile before, now;
  RunChange runs;
};

RunFile lost_run(Status status) {
  Draw draw(1);
  Comparison comparison = comparison_of({{"streams"}}, draw);
  comparison.measurements.push_back(made_up("graph", status, "made up"));
  return run_with("new", {comparison});
}

RunFile whole_run() {
  Draw draw(2);
  return run_with("old", {comparison_of({{"streams"}, {"graph"}}, draw)});
}

/// Returns a run in which every pass takes the same time, so that the interval is a point.
RunFile constant_run(double us) {
  Draw draw(1);
  Comparison comparison = comparison_of({{"graph"}}, draw);
  for (Sample& sample : comparison.measurements[0].samples) sample.wall_us = us;
  return run_with("run", {comparison});
}

BOOST_AUTO_TEST_CASE(the_whole_interval_decides) {
  const auto verdict = [](double low, double high) {
    return std::string(name_of(verdict_of({(low + high) / 2, low, high}, 0.02)));
  };
  BOOST_TEST(verdict(0.99, 1.01) == "SAME");
  BOOST_TEST(verdict(1.001, 1.019) == "SAME");  // sure, but too little to matter
  BOOST_TEST(verdict(0.981, 0.999) == "SAME");
  BOOST_TEST(verdict(0.99, 1.03) == "UNSURE");
  BOOST_TEST(verdict(0.979, 1.01) == "UNSURE");
  BOOST_TEST(verdict(0.5, 2) == "UNSURE");
  BOOST_TEST(verdict(1, 1.1) == "UNSURE");
  BOOST_TEST(verdict(0.9, 1) == "UNSURE");
  BOOST_TEST(verdict(1.001, 1.03) == "SLOWER");
  BOOST_TEST(verdict(1.5, 1.6) == "SLOWER");
  BOOST_TEST(verdict(0.97, 0.999) == "FASTER");
  BOOST_TEST((verdict_of(undecided(1), 0.02) == Verdict::unsure));
  BOOST_TEST((verdict_of({1.001, 1.0005, 1.0015}, 0) == Verdict::slower));
}

BOOST_AUTO_TEST_CASE(several_processes_are_judged_by_their_samples) {
  const Judged slower(110, 8, 6), same(100, 8, 8, {.same_within = 0.05});
  BOOST_TEST(name_of(slower.change().verdict) == "SLOWER");
  BOOST_TEST(slower.change().ratio->low == slower.change().measured->low);
  BOOST_TEST(slower.change().ratio->high == slower.change().measured->high);
  BOOST_TEST(slower.runs.shared_by == 1u);
  BOOST_TEST(name_of(Judged(90, 6, 8).change().verdict) == "FASTER");
  BOOST_TEST(name_of(same.change().verdict) == "SAME");
  BOOST_TEST(*slower.change().old_us == 100, boost::test_tools::tolerance(0.02));
  BOOST_TEST(*slower.change().new_us == 110, boost::test_tools::tolerance(0.02));
}

BOOST_AUTO_TEST_CASE(one_process_in_either_run_takes_the_allowance) {
  for (const auto& [before, now] : {std::pair{1u, 1u}, {1u, 8u}, {8u, 1u}}) {
    const Judged small(110, before, now), large(160, before, now);
    BOOST_TEST(name_of(small.change().verdict) == "UNSURE");
    BOOST_TEST(name_of(large.change().verdict) == "SLOWER");
    BOOST_TEST(name_of(Judged(60, before, now).change().verdict) == "FASTER");
    BOOST_TEST(name_of(Judged(100, before, now).change().verdict) == "UNSURE");
    BOOST_TEST(small.change().ratio->low == small.change().measured->low / 1.25);
    BOOST_TEST(small.change().ratio->high == small.change().measured->high * 1.25);
    BOOST_TEST(small.runs.shared_by == 0u);
    const Judged trusting(110, before, now, {.process_spread = 0});
    BOOST_TEST(name_of(trusting.change().verdict) == "SLOWER");
  }
}

BOOST_AUTO_TEST_CASE(simulated_times_need_no_allowance) {
  RunFile before = whole_run(), now = before;
  before.results.context.simulated = now.results.context.simulated = "Example";
  const VariantChange change = diff_runs(before, now, {}).workloads[0].changes[0];
  BOOST_TEST(change.ratio->high == change.measured->high);
  BOOST_TEST(name_of(change.verdict) == "SAME");
}

BOOST_AUTO_TEST_CASE(intervals_over_processes_share_their_doubt) {
  Draw draw(3);
  const MadeUp several{"graph", 100, 5}, one{"pool", 100, 1};
  std::vector<MadeUp> all{several, one};
  for (const char* name : {"a", "b", "c"}) all.push_back({name, 100, 5});
  const RunFile before = run_with("old", {comparison_of(all, draw)});
  const RunFile now = run_with("new", {comparison_of(all, draw)});
  const RunChange runs = diff_runs(before, now, {});
  BOOST_TEST(runs.shared_by == 4u);
  const auto& was = before.results.comparisons[0].measurements;
  const auto& is = now.results.comparisons[0].measurements;
  BOOST_TEST(runs.workloads[0].changes[0].measured->low ==
             unpaired_ratio(is[0].samples, was[0].samples, 1 - 0.05 / 4).low);
  BOOST_TEST(runs.workloads[0].changes[1].measured->low ==
             unpaired_ratio(is[1].samples, was[1].samples, 0.95).low);
}

BOOST_AUTO_TEST_CASE(what_has_no_times_any_more_is_lost) {
  for (const Status status : {Status::failed, Status::not_run, Status::not_supported}) {
    const RunFile before = whole_run(), now = lost_run(status);
    const RunChange runs = diff_runs(before, now, {});
    const VariantChange& change = runs.workloads[0].changes[1];
    BOOST_TEST(name_of(change.verdict) == "LOST");
    BOOST_TEST(change.message == std::string(name_of(status)) + ": made up");
    BOOST_TEST(!change.ratio.has_value());
    BOOST_TEST(worse(runs, 0));
    BOOST_TEST(worse(runs, 1));
    const RunChange back = diff_runs(now, before, {});
    BOOST_TEST(name_of(back.workloads[0].changes[1].verdict) == "-");
    BOOST_TEST(!worse(back, 0));
  }
}

BOOST_AUTO_TEST_CASE(the_reason_does_not_say_its_status_twice) {
  RunFile now = lost_run(Status::not_run);
  const RunFile before = whole_run();
  const auto reason = [&](const std::string& message) {
    now.results.comparisons[0].measurements[1].message = message;
    return diff_runs(before, now, {}).workloads[0].changes[1].message;
  };
  BOOST_TEST(reason("not run: an error came first") == "not run: an error came first");
  BOOST_TEST(reason("") == "not run");
}

BOOST_AUTO_TEST_CASE(slower_fails_beyond_its_border) {
  const Judged slower(110, 8, 8), faster(90, 8, 8), unsure(110, 1, 1);
  BOOST_TEST(worse(slower.runs, 0));
  BOOST_TEST(worse(slower.runs, 0.05));
  BOOST_TEST(!worse(slower.runs, 0.1));
  BOOST_TEST(!worse(faster.runs, 0));
  BOOST_TEST(!worse(unsure.runs, 0));
}

BOOST_AUTO_TEST_CASE(exactly_the_limit_is_not_beyond_it) {
  for (int tenths = 1; tenths <= 1000; ++tenths) {
    const double beyond =
        parse_percent("--fail-on-slower", fmt::format("{}%", tenths / 10.0), 0, 1);
    for (const double us : {0.7, 100.0, 1234.5}) {
      const auto gate = [&](double now_us) {
        const RunFile before = constant_run(us), now = constant_run(now_us);
        return worse(diff_runs(before, now, {.same_within = 0, .process_spread = 0}), beyond);
      };
      BOOST_TEST(!gate(us * (1 + beyond)), us << " us and " << tenths / 10.0 << "%");
      BOOST_TEST(!gate(us * (1000 + tenths) / 1000), us << " us and " << tenths / 10.0 << "%");
      BOOST_TEST(gate(us * (1 + 1.001 * beyond)), us << " us beyond " << tenths / 10.0 << "%");
    }
  }
}

BOOST_AUTO_TEST_CASE(a_sample_that_is_no_time_is_refused) {
  const RunFile before = whole_run();
  RunFile now = before;
  now.results.comparisons[0].measurements[1].samples[3].wall_us = 0;
  const std::string message = refusal<UsageError>([&] { diff_runs(before, now, {}); });
  BOOST_TEST(contains(message, "compare 'old' 'old': graph on launch: a mean from a wall time"),
             message);
}

BOOST_AUTO_TEST_CASE(two_runs_of_the_same_seldom_raise_an_alarm) {
  // Twelve variants and five processes; with intervals of 95% each a quarter of the pages would
  // raise one.
  constexpr std::size_t pages = 1000;
  Draw draw(4);
  std::size_t alarms = 0;
  std::vector<MadeUp> variants;
  for (int i = 0; i < 12; ++i) variants.push_back({fmt::format("v{}", i), 100, 5, 0.02});
  for (std::size_t i = 0; i < pages; ++i) {
    const RunFile before = run_with("old", {comparison_of(variants, draw)});
    const RunFile now = run_with("new", {comparison_of(variants, draw)});
    bool alarm = false;
    const RunChange changed = diff_runs(before, now, {});
    for (const VariantChange& change : changed.workloads[0].changes) {
      alarm |= change.verdict == Verdict::slower || change.verdict == Verdict::faster;
    }
    alarms += alarm;
  }
  BOOST_TEST(clopper_pearson(alarms, pages).low <= 0.05, alarms << " of " << pages);
}

/// Returns runs as one side, a process each, whose times are these.
RunFile side_of(const std::vector<double>& us) {
  Draw draw(1);
  Comparison comparison =
      comparison_of({{"graph", 100, static_cast<std::uint32_t>(us.size())}}, draw);
  for (Sample& sample : comparison.measurements[0].samples) sample.wall_us = us[sample.process];
  return run_with("runs", {comparison});
}

BOOST_AUTO_TEST_CASE(runs_scatter_alike_on_both_sides_so_one_new_run_is_enough) {
  const std::vector<double> old{100, 101, 99, 100, 100.5, 99.5};
  const auto change = [&](const std::vector<double>& now) {
    const RunFile before = side_of(old), after = side_of(now);
    return diff_runs(before, after, {.over_runs = true}).workloads.at(0).changes.at(0);
  };
  const VariantChange slower = change({110});
  BOOST_TEST((slower.verdict == Verdict::slower));
  // Student's t with 5 degrees of freedom.
  double squares = 0, mean = 0;
  for (const double us : old) mean += std::log(us) / 6;
  for (const double us : old) squares += std::pow(std::log(us) - mean, 2);
  const double half = 2.5706 * std::sqrt(squares / 5 * (1 + 1 / 6.0));
  BOOST_TEST(std::log(slower.ratio->high / slower.ratio->estimate) == half,
             boost::test_tools::tolerance(1e-3));
  BOOST_TEST((change({101}).verdict == Verdict::unsure));
  const RunFile one = side_of({100}), other = side_of({110});
  const auto alone = diff_runs(one, other, {.over_runs = true}).workloads.at(0).changes.at(0);
  BOOST_TEST((alone.verdict == Verdict::unsure));
}

BOOST_AUTO_TEST_CASE(the_summary_names_what_changed_and_folds_the_rest) {
  const RunFile before = side_of({100, 101, 99}), after = side_of({120, 121, 119});
  const std::string text =
      diff_summary(diff_runs(before, after, {.fail_beyond = 0.0, .over_runs = true}));
  BOOST_TEST(text.starts_with("### Trilane: new beside old\n"));
  BOOST_TEST(text.find("| launch   | graph   |") < text.find("<details>"));
  BOOST_TEST(text.ends_with("</details>\n"));
  BOOST_TEST(text.find("<details>") != text.npos);
  BOOST_TEST(text.find("--fail-on-slower=0% fails") != text.npos);
  BOOST_TEST(text.find("3 runs") != text.npos);
}

BOOST_AUTO_TEST_SUITE_END()
