#include "common/measure/loop/results/loop_page.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/measure/loop/results/made_up_loops.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(loop_map)

namespace {

LoopComparison at(double kernel_us, double analysis_us,
                  const std::vector<LoopContender>& contenders) {
  LoopComparison comparison = made_up_loop(contenders);
  comparison.loop.kernel_us = kernel_us;
  comparison.loop.analysis_us = analysis_us;
  comparison.loop.rounds = static_cast<std::uint32_t>(kernel_us);
  return comparison;
}

const std::vector<LoopContender> graph_wins{
    {.teller = "polls", .rate = 900},
    {.teller = "polls", .resubmission = Resubmission::graph},
    {.teller = "sleeps", .rate = 500, .cpu = 0.2},
    {.teller = "sleeps", .resubmission = Resubmission::graph, .rate = 500, .cpu = 0.2}};
const std::vector<LoopContender> all_tie{{.teller = "polls", .rate = 1001}, {.teller = "spins"}};

LoopResults results() {
  LoopResults all;
  all.loops = {at(50, 0, graph_wins), at(50, 20, all_tie), at(1000, 0, all_tie)};
  all.loops.push_back(all.loops.front());
  all.loops.back().loop.name = "swarm";
  return all;
}

std::vector<Table> tables_of(const Page& page) {
  std::vector<Table> tables;
  for (const Part& part : page) {
    if (const auto* table = std::get_if<Table>(&part)) tables.push_back(*table);
  }
  return tables;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_family_differs_in_kernel_and_analysis_time_only) {
  LoopResults some = results();
  some.loops[2].loop.lanes = 7;
  const auto families = families_of(some.loops);
  BOOST_TEST_REQUIRE(families.size() == 3u);
  BOOST_TEST(families[0].size() == 2u);
  BOOST_TEST(families[1].front() == &some.loops[2]);
  BOOST_TEST(families[2].front() == &some.loops[3]);
}

BOOST_AUTO_TEST_CASE(a_cell_names_the_winner_and_whether_others_tie) {
  const LoopResults some = results();
  const auto tables = tables_of(map_of(families_of(some.loops).front()));
  BOOST_TEST_REQUIRE(tables.size() == 2u);
  using Rows = std::vector<std::vector<std::string>>;
  BOOST_TEST((tables[0].heads == std::vector<std::string>{"kernel", "no analysis", "20.0 us"}));
  BOOST_TEST((tables[0].rows == Rows{{"50.0 us", "polls graph", "polls streams *"},
                                     {"1.00 ms", "polls streams *", ""}}));
  BOOST_TEST((tables[1].rows == Rows{{"50.0 us", "sleeps", "-"}, {"1.00 ms", "-", ""}}));
}

BOOST_AUTO_TEST_CASE(without_processor_times_there_is_no_map_of_them) {
  LoopResults some = results();
  for (LoopComparison& comparison : some.loops) {
    for (LoopMeasurement& m : comparison.measurements) {
      for (LoopTurn& turn : m.turns) turn.cpu_us.reset();
    }
  }
  BOOST_TEST(tables_of(map_of(families_of(some.loops).front())).size() == 1u);
}

BOOST_AUTO_TEST_CASE(the_page_starts_with_the_map_and_has_the_tables_where_they_are_asked_for) {
  LoopResults some = results();
  const Page brief = loops_page(some);
  BOOST_TEST(tables_of(brief).size() == 3u);  // two of the map, one of the loop without one
  BOOST_TEST(as_text(brief).find("restart by") > as_text(brief).find("The most items/s"));
  BOOST_TEST(tables_of(loops_page(some, LoopDetail::tables)).size() == 6u);
}

BOOST_AUTO_TEST_CASE(a_failure_is_said_on_the_map_s_page) {
  LoopResults some = results();
  some.loops[1].measurements[1].status = LoopStatus::failed;
  some.loops[1].measurements[1].reason = "lane 1: the result of item 7 is wrong";
  const std::string page = as_text(loops_page(some));
  BOOST_TEST(
      page.find("kernel of 50.0 us, analysis of 20.0 us: spins + streams: failed: lane 1:") !=
          std::string::npos,
      page);
}

BOOST_AUTO_TEST_SUITE_END()
