// Series with and without a step, and histories of made-up commits.
#include "common/explain/fleet/history.hpp"

#include "tests/explain/report/made_up_run.hpp"

BOOST_AUTO_TEST_SUITE(histories)

using Values = std::vector<double>;

Values noise(std::size_t count, double spread, Draw& draw) {
  Values values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(spread * draw.normal());
  return values;
}

Values with_step(Values values, std::size_t since, double by, std::size_t until = 1000) {
  for (std::size_t i = since; i < std::min(until, values.size()); ++i) values[i] += by;
  return values;
}

std::vector<std::size_t> places_of(const std::vector<LevelStep>& steps) {
  std::vector<std::size_t> places;
  for (const LevelStep& step : steps) places.push_back(step.since);
  return places;
}

using Places = std::vector<std::size_t>;

BOOST_AUTO_TEST_CASE(steps_are_found_where_they_are) {
  for (const std::size_t since : {3u, 10u, 50u, 90u, 97u}) {
    Draw draw(since);
    const auto steps = steps_of(with_step(noise(100, 0.004, draw), since, 0.03), 1e-4, 0.01);
    BOOST_TEST_CONTEXT(since) BOOST_REQUIRE(places_of(steps) == Places{since});
    BOOST_TEST(steps[0].by == 0.03, boost::test_tools::tolerance(0.2));
    BOOST_TEST((steps[0].earliest <= since && since <= steps[0].latest));
  }
  Draw draw(7);
  const Values reverted = with_step(noise(100, 0.003, draw), 45, 0.03, 55);
  BOOST_TEST(places_of(steps_of(reverted, 1e-4, 0.01)) == (Places{45, 55}));
  BOOST_TEST(places_of(steps_of(with_step(Values(20, 0), 8, 0.03), 1e-4, 0.01)) == Places{8});
}

BOOST_AUTO_TEST_CASE(what_is_small_or_does_not_last_is_no_step) {
  Draw draw(8);
  BOOST_TEST(steps_of(with_step(noise(100, 1e-4, draw), 50, 0.009), 1e-4, 0.01).empty());
  for (const std::size_t since : {20u, 98u, 99u}) {
    const Values outliers = with_step(noise(100, 0.004, draw), since, 0.2, since + 2);
    BOOST_TEST(steps_of(outliers, 1e-4, 0.01).empty());
  }
  BOOST_TEST(steps_of(with_step(Values(5, 0), 2, 0.1), 1e-4, 0.01).empty());
  BOOST_TEST(steps_of({}, 1e-4, 0.01).empty());
}

BOOST_AUTO_TEST_CASE(false_alarms_are_as_rare_as_stated) {
  for (const double correlation : {0.0, 0.4}) {
    for (const std::size_t count : {8u, 20u, 100u}) {
      std::size_t alarms = 0;
      const std::size_t trials = 400;
      Draw draw(count);
      for (std::size_t i = 0; i < trials; ++i) {
        Values values = noise(count, 1, draw);
        for (std::size_t k = 1; k < count; ++k) values[k] += correlation * values[k - 1];
        alarms += !steps_of(values, 0.05, 0).empty();
      }
      BOOST_TEST_CONTEXT(count << " commits: " << alarms)
      BOOST_TEST(clopper_pearson(alarms, trials).low < 0.05);
    }
  }
}

History made_up_history(std::size_t commits, std::size_t since, double share, std::uint64_t seed) {
  Draw draw(seed);
  std::vector<FleetRun> runs;
  for (std::size_t i = 0; i < commits; ++i) {
    const double slow = i < since ? 1 : 1 + share;
    Comparison comparison =
        comparison_of({{"streams", 100, 4, 0.004}, {"graph", 80 * slow, 4, 0.004}}, draw);
    RunFile run = run_with("run" + std::to_string(i), {comparison});
    run.results.context.git_revision = "c" + std::to_string(i);
    runs.push_back(fleet_runs(run.path, run.results).at(0));
  }
  return history_of(runs, {}, {});
}

BOOST_AUTO_TEST_CASE(a_change_of_a_variant_is_named_with_its_commits) {
  const History history = made_up_history(100, 60, 0.03, 1);
  BOOST_REQUIRE(history.changes.size() == 1u);
  BOOST_TEST(history.changes[0].before == "c59");
  BOOST_TEST(history.changes[0].since == "c60");
  BOOST_REQUIRE(history.changes[0].figures.size() == 1u);
  BOOST_TEST(history.changes[0].figures[0].name == "graph on launch");
  const std::string page = as_text(history_page(history));
  BOOST_TEST(page.find("- Between c59 and c60: graph on launch +") != page.npos);
  BOOST_TEST(page.find("100 commits: 1 change.") != page.npos);
  BOOST_TEST(to_json(history).find("\"since\": \"c60\"") != std::string::npos);
  BOOST_TEST(made_up_history(40, 60, 0.03, 2).changes.empty());
}

BOOST_AUTO_TEST_CASE(neighbours_of_one_revision_count_together) {
  Draw draw(3);
  std::vector<FleetRun> runs;
  for (const char* revision : {"a", "a", "b", "a"}) {
    RunFile run = run_with(std::string("f") + revision, {comparison_of({{"streams"}}, draw)});
    run.results.context.git_revision = revision;
    runs.push_back(fleet_runs(run.path, run.results).at(0));
  }
  BOOST_TEST(history_of(runs, {}, {}).commits == (std::vector<std::string>{"a", "b", "a"}));
  for (FleetRun& run : runs) run.context.git_revision = "same";
  BOOST_TEST(history_of(runs, {}, {}).commits == (std::vector<std::string>{"fa", "fb", "fa"}));
  // The GPUs of a file count together, whatever its folder is called.
  const char* const files[] = {"my GPU runs/a", "my GPU runs/b GPU 0", "my GPU runs/b GPU 1",
                               "my GPU runs/c"};
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i].file = files[i];
  BOOST_TEST(history_of(runs, {}, {}).commits.size() == 3u);
}

BOOST_AUTO_TEST_SUITE_END()
