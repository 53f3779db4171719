#include "common/measure/loop/results/loop_verdict.hpp"

#include <boost/test/unit_test.hpp>
#include <stdexcept>

#include "common/measure/loop/results/loop_page.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(loop_figures)

namespace {

LoopTurn turn(double wall_us, double busy_us) {
  return {.items = 4,
          .wall_us = wall_us,
          .span_us = 100,
          .busy_us = busy_us,
          .cpu_us = wall_us / 2,
          .clock_error_us = busy_us / 100,
          .told_us = {1, 2, 3, 10},
          .restart_us = {5, 7}};
}

LoopResults results() {
  LoopMeasurement ok{.teller = "told_so", .reason = {}, .turns = {turn(100, 80)}};
  LoopMeasurement failed{.teller = "failing",
                         .resubmission = Resubmission::graph,
                         .status = LoopStatus::failed,
                         .reason = "lane 1: the result of item 7 is wrong",
                         .turns = {turn(100, 80)}};
  return {.context = {}, .seed = 3, .loops = {{loop_presets().front(), {ok, failed}}}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(rates_are_by_mean_times_and_times_quantiles_over_items) {
  const LoopFigures f = figures_of({turn(100, 80), turn(200, 60), turn(400, 90)});
  BOOST_TEST(f.items_per_second == 12 / 700e-6, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(f.told_us == 2.5);
  BOOST_TEST(f.told_p99_us > 3);
  BOOST_TEST(f.restart_us.value() == 6);
  BOOST_TEST(f.restart_p99_us.value() > 6);
  BOOST_TEST(f.idle == 0.2, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(f.cpu.value() == 0.5);
  BOOST_TEST(f.clock_error_us == 0.9);
}

BOOST_AUTO_TEST_CASE(what_was_not_measured_is_absent) {
  LoopTurn one = turn(100, 80);
  one.cpu_us.reset();
  one.restart_us.clear();
  const LoopFigures f = figures_of({one});
  BOOST_TEST(!f.cpu.has_value());
  BOOST_TEST(!f.restart_us.has_value());
  BOOST_CHECK_THROW(figures_of({}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_failed_contender_has_a_reason_and_no_row) {
  const std::string page = as_text(loops_page(results()));
  BOOST_TEST(page.find("told_so") != std::string::npos);
  BOOST_TEST(page.find("failing + graph: failed: lane 1: the result of item 7 is wrong") !=
             std::string::npos);
  BOOST_TEST(page.find("failing  ") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_is_not_modelled_is_said_once_with_its_reason) {
  LoopResults some = results();
  LoopMeasurement lacking{
      .teller = "one", .status = LoopStatus::not_modelled, .reason = "host threads", .turns = {}};
  LoopMeasurement other = lacking;
  other.teller = "other";
  some.loops.front().measurements = {lacking, lacking, other};
  const std::string page = as_text(loops_page(some));
  BOOST_TEST(page.find("one and other: not modelled: host threads") != std::string::npos, page);
}

BOOST_AUTO_TEST_CASE(a_file_has_every_sample) {
  const std::string file = to_json(results());
  BOOST_TEST(file.find("\"trilane-loops\"") != std::string::npos);
  BOOST_TEST(file.find("\"told_us\": [1, 2, 3, 10]") != std::string::npos, file);
}

BOOST_AUTO_TEST_SUITE_END()
