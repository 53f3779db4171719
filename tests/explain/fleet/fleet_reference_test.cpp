// References of made-up machines, and whether others are normal beside them.
#include "common/explain/fleet/fleet_reference.hpp"

#include "common/base/text/exit_code.hpp"
#include "common/explain/statistics/interval.hpp"
#include "common/model/results/results_io.hpp"
#include "tests/explain/fleet/made_up_fleet.hpp"

BOOST_AUTO_TEST_SUITE(fleet_references)

FleetReference read(const std::string& text) {
  return record_from<FleetReference>(text, reference_schema, "reference file");
}

BOOST_AUTO_TEST_CASE(a_reference_holds_the_distribution_of_each_figure) {
  const FleetReference reference = reference_of(machines(200, 3, {{5, {.copy_in = 0.3}}}));
  BOOST_TEST(reference.machines == 200u);
  BOOST_TEST(reference.gpu == "NVIDIA Example 100");
  BOOST_TEST_REQUIRE(reference.works.size() == 1u);
  const ReferenceWork& work = reference.works[0];
  BOOST_TEST(work.workload == "launch");
  BOOST_TEST(work.work.starts_with("measured name=launch bytes=262144 "));
  BOOST_TEST(work.work.find("host_memory") == std::string::npos);  // as usual
  const auto figure = [&](const char* name) {
    return *std::ranges::find(work.figures, name, &ReferenceFigure::name);
  };
  BOOST_TEST_REQUIRE(work.figures.size() == 4u);
  BOOST_TEST(figure("streams").mean_us == 100, boost::test_tools::tolerance(0.002));
  BOOST_TEST(figure("streams").spread == std::hypot(0.003, 0.004 / std::sqrt(6)),
             boost::test_tools::tolerance(0.2));
  const double error = figure("streams").error * std::sqrt(6);
  BOOST_TEST((error > 0.003 && error < 0.005));
  BOOST_TEST(figure("streams").machines == 200u);
  BOOST_TEST(figure("start of a copy in").machines == 199u);  // without the odd one
  BOOST_TEST(figure("start of a copy in").spread == 0.002, boost::test_tools::tolerance(0.2));
  const std::string text = to_json(reference);
  BOOST_TEST(to_json(read(text)) == text);
}

BOOST_AUTO_TEST_CASE(a_figure_that_differs_is_odd_and_the_others_are_normal) {
  const FleetReference reference = reference_of(machines(20, 5));
  const Runs others = machines(2, 6, {{1, {.streams = 0.05}}});
  const Judged normal = judged_by(reference, others[0]);
  BOOST_TEST(normal.figures == 4u);
  BOOST_TEST(normal.outside == 0u);
  const Judged slow = judged_by(reference, others[1]);
  BOOST_TEST(slow.outside == 1u);
  BOOST_TEST_REQUIRE(slow.odd.size() == 1u);
  BOOST_TEST(slow.odd[0].starts_with("streams on launch +"));
  BOOST_TEST((slow.slower_by > 0.03 && slow.slower_by < 0.05));
  const std::string page = as_text(slow.page);
  BOOST_TEST(page.find("odd: 4.") != page.npos);
  BOOST_TEST(page.find("1 of 4 figures") != page.npos);
  BOOST_TEST(page.find("Odd: streams on launch +") != page.npos);
}

BOOST_AUTO_TEST_CASE(faster_is_odd_too) {
  const Judged fast =
      judged_by(reference_of(machines(20, 5)), machines(1, 6, {{0, {.streams = -0.05}}})[0]);
  BOOST_TEST(fast.odd.size() == 1u);
  BOOST_TEST(fast.slower_by == 0);
  BOOST_TEST(as_text(fast.page).find("% faster than 95%") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(few_machines_leave_room_for_much) {
  const FleetRun slow = machines(1, 6, {{0, {.streams = 0.03}}})[0];
  BOOST_TEST(judged_by(reference_of(machines(20, 5)), slow).odd.size() == 1u);
  BOOST_TEST(judged_by(reference_of(machines(2, 5)), slow).outside == 0u);
}

BOOST_AUTO_TEST_CASE(a_noisier_file_needs_to_differ_more) {
  FleetRun slow = machines(1, 6, {{0, {.streams = 0.03}}})[0];
  for (FleetValue& value : slow.values) value.log.variance = 0.02 * 0.02;
  BOOST_TEST(judged_by(reference_of(machines(20, 5)), slow).outside == 0u);
}

/// Returns machines with ten figures of the given scatter.
Runs scattered(std::size_t count, double by, Draw& draw) {
  Runs runs;
  for (std::size_t i = 0; i < count; ++i) {
    FleetRun run{.file = std::to_string(i), .context = {}};
    run.works = {
        {.key = "k", .label = "w", .shape = "", .reference = "", .work = "w", .tiers = {}}};
    for (char name = '0'; name <= '9'; ++name) {
      run.values.push_back({"k", {name}, "", {by * draw.normal()}});
    }
    runs.push_back(std::move(run));
  }
  return runs;
}

BOOST_AUTO_TEST_CASE(as_many_normal_machines_are_outside_as_stated) {
  Draw draw(9);
  for (const std::size_t known : {2, 5, 30}) {
    std::size_t outside = 0, odd = 0;
    const std::size_t trials = 1000;
    for (std::size_t i = 0; i < trials; ++i) {
      const FleetReference reference = reference_of(scattered(known, 0.05, draw));
      const Judged judged = judged_by(reference, scattered(1, 0.05, draw)[0]);
      outside += judged.outside;
      odd += !judged.odd.empty();
    }
    const Share share = clopper_pearson(outside, 10 * trials);
    BOOST_TEST_CONTEXT(known << " machines: " << outside << " outside, " << odd << " odd")
    BOOST_TEST((share.low < 0.05 && share.high > 0.03 && clopper_pearson(odd, trials).low < 0.01));
  }
}

BOOST_AUTO_TEST_CASE(less_than_a_percent_is_normal) {
  Draw draw(9);
  const FleetReference reference = reference_of(scattered(5, 0, draw));
  FleetRun run = scattered(1, 0, draw)[0];
  run.values[3].log.mean = std::log(1.009);
  BOOST_TEST(judged_by(reference, run).outside == 0u);
  run.values[3].log.mean = std::log(1.011);
  BOOST_TEST(judged_by(reference, run).odd.size() == 1u);
}

BOOST_AUTO_TEST_CASE(another_kind_of_gpu_is_named) {
  const FleetReference reference = reference_of(machines(4, 5));
  FleetRun run = machines(1, 6)[0];
  const auto page = [&] { return as_text(judged_by(reference, run).page); };
  BOOST_TEST(page().find("Another kind") == std::string::npos);
  run.context.gpu = {{"name", "NVIDIA Other"}};
  BOOST_TEST(page().find("- Another kind of GPU: NVIDIA Other.") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(other_work_has_no_figures) {
  FleetRun run = machines(1, 6)[0];
  run.works[0].work += " lanes=5";
  BOOST_TEST(judged_by(reference_of(machines(3, 5)), run).figures == 0u);
}

BOOST_AUTO_TEST_CASE(machines_of_several_kinds_or_one_alone_give_no_reference) {
  Runs runs = machines(3, 5);
  runs[2].context.gpu = {{"name", "another"}};
  BOOST_CHECK_THROW(reference_of(runs), UsageError);
  BOOST_CHECK_THROW(reference_of(machines(1, 5)), UsageError);
}

BOOST_AUTO_TEST_CASE(built_in_references_can_be_read) {
  for (const std::string text : {reference_h100_json, reference_h200_json}) {
    const FleetReference reference = read(text);
    BOOST_TEST(reference.machines >= 2u);
    BOOST_TEST(reference.works.size() == presets().size());
    BOOST_TEST(to_json(reference) == text);
  }
}

BOOST_AUTO_TEST_SUITE_END()
