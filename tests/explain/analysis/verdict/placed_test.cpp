// Several GPUs at work, compared with each one alone.

#include "common/explain/analysis/verdict/derive.hpp"
#include "common/explain/report/report.hpp"
#include "tests/base/mentions.hpp"
#include "tests/explain/report/made_up_run.hpp"

namespace trilane {
namespace {

BOOST_AUTO_TEST_SUITE(placed)

/// Returns launch on a GPU, alone or beside another one.
Comparison on(std::uint32_t device, std::uint32_t beside, double streams_us, double graph_us,
              bool one_process = false) {
  Draw draw(device + 10 * beside + (one_process ? 100 : 0));
  Comparison comparison = comparison_of({{"streams", streams_us, 6}, {"graph", graph_us, 6}}, draw);
  comparison.reference = "streams";
  comparison.measurements[0].plan.model = multi_stream;
  comparison.measurements[1].plan.model = multi_stream;
  comparison.measurements[1].plan.model.issuer = Issuer::graph;
  comparison.stopped = "time";
  comparison.placement =
      Placement{device, "NVIDIA Example 100", "0000:1B:00.0", beside, one_process};
  derive(comparison, "");
  return comparison;
}

/// GPU 1 takes three times as long beside GPU 0, and graphs even longer.
std::vector<Comparison> two_gpus() {
  return {on(0, 0, 100, 50), on(1, 0, 100, 50), on(0, 1, 100, 50), on(1, 1, 300, 500)};
}

std::string answer(const std::vector<Comparison>& comparisons, const std::string& question) {
  for (const Answer& one : answers_to(comparisons)) {
    if (one.question == question) return one.text;
  }
  return "";
}

BOOST_AUTO_TEST_CASE(each_gpu_is_compared_with_itself_alone) {
  const std::vector<Comparison> all = two_gpus();
  const std::vector<OnGpu> each = on_each_gpu(all);
  BOOST_TEST_REQUIRE(each.size() == 2u);
  BOOST_TEST((each[1].alone == &all[1] && each[1].together == &all[3]));
  BOOST_TEST(each[0].longer("streams")->estimate == 1, boost::test_tools::tolerance(0.03));
  const Ratio thrice = each[1].longer("streams").value();
  BOOST_TEST(thrice.estimate == 3, boost::test_tools::tolerance(0.03));
  BOOST_TEST((thrice.low < 3 && thrice.high > 3));
  BOOST_TEST(!each[1].longer("pool"));
  BOOST_TEST(each[1].best_alone() == "graph");
  BOOST_TEST(each[1].best_together() == "streams");
}

BOOST_AUTO_TEST_CASE(the_answer_names_where_it_takes_longer_and_what_is_best_then) {
  const std::vector<Comparison> all = two_gpus();
  const std::string said = answer(all, "GPUs?");
  BOOST_TEST(holds(said,
                   "While all work, a pass takes longer: 3.0x as long on launch (GPU 1); no "
                   "difference elsewhere."));
  BOOST_TEST(holds(said, "Use then streams instead of graph on launch (GPU 1)."));
  // Other answers are of each GPU alone.
  BOOST_TEST(holds(answer(all, "Graph?"), "launch/GPU 1"));
  BOOST_TEST(!holds(answer(all, "Graph?"), "of 2"));
  const std::vector<Comparison> same{all[0], all[2]};
  BOOST_TEST(answer(same, "GPUs?") ==
             "No GPU is slower while all work. No other variant is clearly better then.");
  BOOST_TEST(answer({on(0, 0, 100, 50)}, "GPUs?") == "");
  // A gain that is gone makes no other variant the best one.
  const std::vector<Comparison> gone{on(0, 0, 100, 50), on(0, 1, 200, 199.9)};
  BOOST_TEST(on_each_gpu(gone)[0].best_together() == "streams");
  BOOST_TEST(holds(answer(gone, "GPUs?"), "No other variant is clearly better then."));
}

BOOST_AUTO_TEST_CASE(a_screen_has_a_row_for_each_gpu) {
  const std::string text = as_text(gpu_rows(two_gpus(), 9));
  BOOST_TEST(holds(text, "streams, us"));
  BOOST_TEST(holds(text, "graph 2.0x"));
  BOOST_TEST(holds(as_text(gpu_rows(two_gpus(), 1)), "1 more row not shown."));
}

/// Returns the results with both GPUs in one process, too, where passes take so long.
Results in_one_process(double streams_us, double graph_us) {
  Results results;
  results.comparisons = two_gpus();
  for (const std::uint32_t device : {0u, 1u}) {
    const double factor = device == 0 ? 1 : 3;
    results.comparisons.push_back(
        on(device, 1, factor * streams_us, (device == 0 ? 1 : 10) * graph_us, true));
  }
  derive_answers(results);
  return results;
}

std::string gpus(const Results& results) {
  for (const Answer& one : results.answers) {
    if (one.question == "GPUs?") return one.text;
  }
  return "";
}

BOOST_AUTO_TEST_CASE(one_process_for_all_gpus_is_compared_with_a_process_for_each) {
  const Results slower = in_one_process(130, 50);
  const std::vector<OnGpu> each = on_each_gpu(slower.comparisons);
  BOOST_TEST_REQUIRE(each.size() == 2u);
  BOOST_TEST((each[0].together == &slower.comparisons[2] &&
              each[1].in_one_process == &slower.comparisons[5]));
  const Measurement& streams = slower.comparisons[4].measurements[0];
  const Ratio ratio = streams.over_processes.value();
  BOOST_TEST(ratio.estimate == 1.3, boost::test_tools::tolerance(0.03));
  BOOST_TEST((ratio.low < 1.3 && ratio.high > 1.3));
  BOOST_TEST(!slower.comparisons[2].measurements[0].over_processes);
  BOOST_TEST(holds(gpus(slower),
                   "Use a process for each GPU; one process with a thread for each GPU takes "
                   "longer: "));
  BOOST_TEST(holds(gpus(slower), "on streams on launch (GPU 1)"));
  BOOST_TEST(!holds(gpus(slower), "on graph"));
  BOOST_TEST(
      holds(as_text(gpu_rows(slower.comparisons, 9)), fmt::format("{:.2f} [", ratio.estimate)));
  BOOST_TEST(holds(gpus(in_one_process(100, 50)),
                   "No difference between a process for each GPU and one process with a thread "
                   "for each GPU."));
  BOOST_TEST(holds(gpus(in_one_process(40, 50)),
                   "Use one process with a thread for each GPU; a process for each GPU takes "
                   "longer: "));
  BOOST_TEST(holds(gpus(in_one_process(40, 50)), " as long on streams on launch (GPU"));
  BOOST_TEST(holds(gpus(in_one_process(130, 25)), "It depends: one process"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace trilane
