// The page of traced passes.
#include <boost/test/unit_test.hpp>

#include "common/explain/report/report.hpp"
#include "tests/base/mentions.hpp"
#include "tests/explain/report/check_page.hpp"
#include "tests/model/made_up.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(report_timeline)

namespace {

std::string markdown(const Comparison& comparison, const std::string& simulated) {
  return checked_markdown(timeline_page(comparison, simulated));
}

/// Returns three passes; in the shown one, copies in overlap with kernels for half of the time.
Timeline made_up_timeline() {
  Timeline t;
  t.event_us = {1000, 1100, 1050};
  t.before_us = {20, 20, 21};
  t.span_us = {970, 1070, 1017};
  t.after_us = {10, 10, 11};
  t.overlap = {{"copy in", "copy out", 100, 0.25}, {"copy in", "kernel", 200, 0.5}};
  t.busy = {{"copy in", 400, 0.4}, {"compute", 700, 0.7}};
  t.untraced_us = {950, 900, 1000};
  t.waits = {{"copy in", 300, 10, 0, 5}, {"kernel", 20, 250, 0, 5}};
  return t;
}

Comparison traced() {
  Comparison comparison =
      made_up_comparison({made_up("streams", 900, 1000), made_up("graph", 100, 500)});
  comparison.measurements[0].timeline = made_up_timeline();
  return comparison;
}

}  // namespace

BOOST_AUTO_TEST_CASE(times_shares_and_waits_are_told_of_what_was_traced) {
  const std::string text = markdown(traced(), "");
  BOOST_TEST_CONTEXT(text) {
    BOOST_TEST(contains(text, "launch, traced"));
    BOOST_TEST(mentions(text, {"Traced passes in us", "medians of 3"}));
    // 1050 us between the events, and 950 without tracing.
    BOOST_TEST(
        contains(text, "| streams |       1050 |   20.0 |       1017 |  10.0 |         +11% |"));
    BOOST_TEST(contains(
        text, "| streams |    25% |       50% |          - | 40% |     70% |   - | the host  |"));
    BOOST_TEST(!contains(text, "graph"));
  }
}

BOOST_AUTO_TEST_CASE(nothing_traced_is_nothing_told) {
  Comparison comparison = traced();
  comparison.measurements[0].timeline.reset();
  BOOST_TEST(contains(markdown(comparison, ""), "Nothing was traced: run with --trace"));
}

BOOST_AUTO_TEST_CASE(where_events_and_operations_disagree_it_says_by_how_much) {
  Comparison comparison = traced();
  BOOST_TEST(
      mentions(on_one_line(markdown(comparison, "")), {"within 1 us or 1%", "1 of 1 variant"}));
  Timeline other = made_up_timeline();
  for (double& us : other.span_us) us -= 12.5;  // of 1050, of which 1% is 10.5
  comparison.measurements[1].timeline = other;
  const std::string text = markdown(comparison, "");
  BOOST_TEST_CONTEXT(text) {
    BOOST_TEST(mentions(on_one_line(text), {"1 of 2 variants", "graph by 12.5"}));
  }
}

BOOST_AUTO_TEST_CASE(what_operations_wait_for_most_is_named) {
  Comparison comparison = traced();
  std::vector<TimelineWaits>& waits = comparison.measurements[0].timeline->waits;
  waits = {{"copy in", 1, 2, 300, 5}, {"kernel", 1, 2, {}, 5}};
  BOOST_TEST(contains(markdown(comparison, ""), "| stream order |"));
  waits = {{"copy in", 1, 2, 3, 5}};
  BOOST_TEST(contains(markdown(comparison, ""), " - | -  "));
}

BOOST_AUTO_TEST_CASE(of_older_files_nobody_knows_what_tracing_added) {
  Comparison comparison = traced();
  comparison.measurements[0].timeline->untraced_us.reset();
  BOOST_TEST(contains(markdown(comparison, ""), "|  10.0 |            - |"));
}

BOOST_AUTO_TEST_CASE(simulated_times_are_called_simulated) {
  BOOST_TEST(mentions(markdown(traced(), "Example"), {"Simulated Example", "Traced"}));
}

BOOST_AUTO_TEST_SUITE_END()
