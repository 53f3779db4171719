// One answer from the replays of several processes, and the report about a recorded application.
#include "common/commands/recording/recorded_process.hpp"

#include "common/application/diagnosis/diagnosis_page.hpp"
#include "common/explain/analysis/verdict/promise.hpp"
#include "common/model/results/find.hpp"
#include "tests/application/iteration/made_up_replay.hpp"

BOOST_AUTO_TEST_SUITE(replays_of_processes)

const auto near = boost::test_tools::tolerance(0.002);

ReplayRecord record_of(double calls_us, double graph_us) {
  ReplayRecord record;
  record.comparison =
      made_up_replay({candidate("calls", calls_us), candidate("graph", graph_us)}, calls_us - 5);
  record.host_us = calls_us / 10;
  return record;
}

BOOST_AUTO_TEST_CASE(samples_of_all_are_in_one_comparison) {
  const ReplayRecord one = record_of(300, 100), other = record_of(330, 100),
                     third = record_of(340, 100);
  const ReplayRecord all = merged_replay({one, other, third});
  BOOST_TEST(all.comparison->processes == 3u);
  const Measurement& graph = *find_variant(*all.comparison, "graph");
  BOOST_TEST(graph.samples.size() == 3 * find_variant(*one.comparison, "graph")->samples.size());
  const double speed = 1 / graph.ratio->estimate;
  BOOST_TEST((speed > 3.1 && speed < 3.4));
  // One process knows nothing about differences between processes.
  const Ratio alone = *find_variant(*one.comparison, "graph")->ratio;
  BOOST_TEST((graph.ratio->low < 1 / 3.4 && graph.ratio->high > 1 / 3.0));
  BOOST_TEST(graph.ratio->high - graph.ratio->low > alone.high - alone.low);
  BOOST_TEST(all.host_us == 33);
  BOOST_TEST(all.comparison->host_us.value() == 33);
  BOOST_REQUIRE(all.comparison->watched);
  BOOST_TEST(all.comparison->watched->times.size() == 3 * 40u);
  BOOST_TEST(all.comparison->watched->times.back().process == 2u);
  const ApplicationGain gain = gain_of(*all.comparison, graph).value();
  BOOST_TEST(gain.application_us == std::cbrt(295.0 * 325 * 335), near);
  BOOST_CHECK(gain.ratio.covers == Covers::processes);
  BOOST_TEST(gain.ratio.estimate == 100 / gain.application_us, near);
  const std::string page = as_text(replay_page(all));
  BOOST_TEST(page.find("cover the differences between 3 processes") != page.npos, page);
  const std::string page_of_one = as_text(replay_page(one));
  BOOST_TEST(page_of_one.find("--processes 5") != page_of_one.npos, page_of_one);
}

BOOST_AUTO_TEST_CASE(what_cupti_adds_is_the_mean_of_those_that_know) {
  ReplayRecord one = record_of(300, 100), other = record_of(300, 100), third = record_of(300, 100);
  one.comparison->watched->cupti_us = 3;
  other.comparison->watched->cupti_us = 5;
  third.comparison->watched.reset();
  const ReplayRecord all = merged_replay({one, other, third});
  BOOST_TEST(all.comparison->watched->cupti_us == 4);
  BOOST_TEST(all.comparison->watched->times.size() == 80u);
}

BOOST_AUTO_TEST_CASE(memory_is_uncertain_where_it_is_in_any_process) {
  ReplayRecord one = record_of(300, 100), other = record_of(300, 100);
  one.uncertain = {{"device memory 0", 64, 512}};
  other.uncertain = {{"device memory 0", 128, 512}, {"device memory 1", 64, 64}};
  const ReplayRecord all = merged_replay({one, other});
  BOOST_REQUIRE(all.uncertain.size() == 2u);
  BOOST_TEST(all.uncertain[0].bytes == 128u);
  BOOST_TEST(all.uncertain[1].memory == "device memory 1");
}

BOOST_AUTO_TEST_CASE(a_flag_of_one_process_is_one_of_all) {
  ReplayRecord one = record_of(300, 100), other = record_of(300, 100);
  other.overlaps = other.queried = other.beside_cupti = true;
  other.snapshot_bytes = 7;
  const ReplayRecord all = merged_replay({one, other});
  BOOST_TEST((all.overlaps && all.queried && all.beside_cupti));
  BOOST_TEST(all.snapshot_bytes == one.snapshot_bytes);
}

BOOST_AUTO_TEST_CASE(other_iterations_are_not_merged) {
  ReplayRecord one = record_of(300, 100), other = record_of(300, 100);
  other.comparison->workload.recorded->calls += 1;
  BOOST_CHECK_THROW(merged_replay({one, other}), std::invalid_argument);
  other = one;
  other.threads = 2;
  BOOST_CHECK_THROW(merged_replay({one, other}), std::invalid_argument);
  BOOST_CHECK_THROW(merged_replay({}), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(words_on_what_was_recorded)

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_read_is_named_once) {
  RecorderStatus status;
  status.loaded = status.finished = 1;
  const trilane::Recorded recorded{.end = {},
                                   .status = status,
                                   .recording = {},
                                   .unreadable = "recording file: .calls is missing"};
  const std::vector<std::string> lines = recorded_words(recorded);
  BOOST_REQUIRE(lines.size() == 2u);
  BOOST_TEST(lines[0] == "no iteration was found; the application ended after 0 calls");
  BOOST_TEST(lines[1] == "what was recorded is lost: recording file: .calls is missing");
}

BOOST_AUTO_TEST_SUITE_END()
