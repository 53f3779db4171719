// Passes split over several GPUs, compared with those on one.

#include "common/explain/analysis/verdict/derive.hpp"
#include "common/explain/analysis/verdict/pipelined.hpp"
#include "common/explain/report/report.hpp"
#include "tests/base/mentions.hpp"
#include "tests/explain/report/made_up_run.hpp"

namespace trilane {
namespace {

BOOST_AUTO_TEST_SUITE(split_verdict)

Comparison on(std::uint32_t gpus, double streams_us, double graph_us, double one_way, double gbps) {
  Draw draw(gpus);
  Comparison comparison = comparison_of({{"streams", streams_us, 6}, {"graph", graph_us, 6}}, draw);
  comparison.workload = *std::ranges::find(presets(), "transfer", &Workload::name);
  comparison.reference = "streams";
  comparison.stopped = "time";
  comparison.limit = Limit{
      .in_gbps = one_way, .out_gbps = one_way, .duplex_in_gbps = gbps, .duplex_out_gbps = gbps};
  if (gpus > 1) comparison.workload.gpus.emplace(gpus);
  return comparison;
}

/// Two GPUs are 1.6 times as fast with streams and 1.9 times with graph.
Results two_gpus(double gbps, double one_way = 110) {
  Results results;
  results.comparisons = {on(1, 160, 95, 55, 50), on(2, 100, 50, one_way, gbps)};
  derive(results);
  return results;
}

std::string answer(const Results& results) {
  for (const Answer& one : results.answers) {
    if (one.question == "GPUs?") return one.text;
  }
  return "";
}

BOOST_AUTO_TEST_CASE(a_variant_is_compared_with_itself_on_one_gpu) {
  const Results results = two_gpus(100);
  const std::vector<Split> splits = splits_in(results.comparisons);
  BOOST_TEST_REQUIRE(splits.size() == 1u);
  BOOST_TEST(splits[0].best()->variant == "graph");
  const Ratio ratio = splits[0].best()->over_one_gpu.value();
  BOOST_TEST(1 / ratio.estimate == 1.9, boost::test_tools::tolerance(0.03));
  BOOST_TEST((ratio.low < ratio.estimate && ratio.estimate < ratio.high));
  BOOST_TEST(!results.comparisons[0].measurements[0].over_one_gpu);
}

BOOST_AUTO_TEST_CASE(the_answer_says_how_fast_and_whether_links_are_shared) {
  const std::string apart = answer(two_gpus(100)), shared = answer(two_gpus(60, 66)),
                    memory = answer(two_gpus(75));
  BOOST_TEST(apart.starts_with("2 GPUs: 1."), apart);
  BOOST_TEST(apart.ends_with(". Links are not shared: 2 at once copy 2.00 times the bytes of one "
                             "each way, 2.00 times both ways, 200 GB/s."),
             apart);
  BOOST_TEST(holds(apart, "] times as fast as the same on one on transfer (graph, limited by "));
  BOOST_TEST(holds(shared, "Links are shared: 2 at once copy 1.20 times"), shared);
  BOOST_TEST(holds(memory, "Links are not shared, but the host's memory or the like is"), memory);
  Results alone;
  alone.comparisons = {on(1, 160, 95, 55, 50)};
  derive(alone);
  BOOST_TEST(answer(alone) == "");
}

BOOST_AUTO_TEST_CASE(a_screen_has_a_row_for_each_variant_of_one_workload) {
  const std::string text = as_text(split_rows(two_gpus(100).comparisons, 9));
  BOOST_TEST(holds(text, "one GPU, us"));
  BOOST_TEST(holds(text, "2 GPUs, us"));
  BOOST_TEST(holds(text, "streams"));
  BOOST_TEST(holds(text, "graph"));
}

BOOST_AUTO_TEST_CASE(a_gpu_has_the_chunks_that_are_dealt_to_it) {
  Workload workload = presets().front();  // 64 chunks
  workload.gpus = {{0, 1, 2}};
  BOOST_TEST(workload.all_lanes() == 12u);
  BOOST_TEST(workload.chunk(64 - 1).lane == 3u);
  const Workload share = share_of_gpu(workload);
  BOOST_TEST(share.chunks() == 22u);
  BOOST_TEST(share.used_lanes() == 4u);
  BOOST_TEST(!share.gpus);
  workload.bytes = 2 * workload.chunk_bytes;
  BOOST_TEST(workload.gpu_count() == 2u);
  workload.gpus.reset();
  BOOST_TEST((share_of_gpu(workload) == workload));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace trilane
