// What a person reads of one pass in several numbers of chunks.
#include "common/report/report.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/report/check_page.hpp"
#include "tests/results/made_up.hpp"
#include "tests/text/mentions.hpp"

using namespace trilane;

namespace {

std::string markdown(const std::vector<Comparison>& comparisons, const std::string& simulated) {
  check_page(series_page(comparisons, simulated));
  return as_markdown(series_page(comparisons, simulated));
}

/// 256 KiB in so many chunks.
Comparison cut(std::uint32_t chunks, double streams_us, double graph_us, double bound_us,
               std::uint32_t best) {
  Comparison comparison =
      made_up_comparison({made_up("streams", 9, streams_us), made_up("graph", 9, graph_us),
                          made_up("pool", Status::failed, "wrong data")});
  comparison.workload.modified = chunks != 64;
  comparison.workload.chunk_bytes = comparison.workload.bytes / chunks;
  comparison.workload.result_bytes = comparison.workload.chunk_bytes;
  comparison.limit = Limit{.bound_us = bound_us};
  comparison.limit->best = BestCut{best, bound_us - 1};
  return comparison;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(report_series)

BOOST_AUTO_TEST_CASE(each_variant_s_best_number_of_chunks_is_told_and_the_formula_s) {
  const std::vector<Comparison> all{cut(8, 700, 500, 90, 17), cut(1, 900, 400, 300, 5),
                                    cut(64, 600, 800, 95, 21)};
  const std::string text = markdown(all, "");
  BOOST_TEST_CONTEXT(text) {
    BOOST_TEST(holds(text, "### launch, by chunks"));
    BOOST_TEST(holds(text, "256 KiB in 1 to 64 chunks, 4 lanes, depth 4, 1 round\n"));
    BOOST_TEST(holds(text, "| streams |     64 |"));
    BOOST_TEST(holds(text, "| graph   |      1 |"));
    BOOST_TEST(!holds(text, "pool"));
    // At the rates of the run with the lowest bound.
    BOOST_TEST(mentions(on_one_line(text), {"17 chunks", "lowest bound", "89.0 us"}));
    BOOST_TEST(!holds(text, "simulated"));
  }
  BOOST_TEST(mentions(on_one_line(markdown(all, "Example")), {"in us, simulated."}));
}

BOOST_AUTO_TEST_CASE(series_of_one_preset_can_be_told_apart) {
  std::vector<Comparison> all{cut(8, 700, 500, 90, 17), cut(64, 600, 800, 95, 21)};
  for (int i = 0; i < 2; ++i) {
    all.push_back(all[i]);
    all.back().workload.host_memory = HostMemory::pageable;
    all.back().workload.order = Order::breadth_first;
    all.back().wait = Wait::block;
  }
  const std::string text = markdown(all, "");
  BOOST_TEST(holds(text, "1 round\n"), text);
  BOOST_TEST(holds(text, "breadth first"), text);
  BOOST_TEST(holds(text, "pageable"), text);
  BOOST_TEST(holds(text, "host blocks"), text);
}

BOOST_AUTO_TEST_CASE(one_cut_is_no_series_and_neither_are_different_passes) {
  std::vector<Comparison> all{cut(8, 700, 500, 90, 17)};
  BOOST_TEST(markdown(all, "") == "");
  all.push_back(cut(64, 600, 800, 95, 21));
  all.back().workload.lanes = 2;
  BOOST_TEST(markdown(all, "") == "");
  all.push_back(cut(32, 500, 800, 95, 21));
  all.back().wait = Wait::block;
  BOOST_TEST(markdown(all, "") == "");
  all.push_back(cut(16, 500, 800, 95, 21));
  all.back().limit.reset();
  const std::string text = markdown(all, "");
  BOOST_TEST(holds(text, "256 KiB in 8 to 16 chunks"));
  BOOST_TEST(!holds(text, "2 to 64"));
}

BOOST_AUTO_TEST_SUITE_END()
