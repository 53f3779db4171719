// What a person reads of bounds.
#include <boost/test/unit_test.hpp>
#include <sstream>

#include "common/analysis/limits/bounds.hpp"
#include "common/report/report.hpp"
#include "common/report/report_parts.hpp"
#include "tests/results/made_up.hpp"
#include "tests/text/mentions.hpp"

using namespace trilane;

namespace {

/// On the launch preset, 256 KiB in all.
Comparison comparison_of(const std::string& other) {
  Comparison comparison = made_up_comparison({made_up("streams", 900, 1000),
                                              made_up("broken", Status::failed, "wrong data"),
                                              made_up(other, 10, 500)});
  Limit limit{.clear_us = 1, .kernels_us = 80, .bound_us = 450, .serial_us = 1000};
  limit.bound_by = Limiter::copy_out;
  limit.one_engine_us = 800;
  limit.calls_us = {{"cudaMemcpyAsync", 6.25}, {"cudaMemsetAsync", 0.5}};
  limit.copies_in = CopyCost{10, 1200};
  limit.copies_out = CopyCost{20, 800};
  limit.best = BestCut{16, 400};
  comparison.limit = limit;
  find_bounds(comparison);
  return comparison;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, line.size());
  return widest;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(report_bounds)

BOOST_AUTO_TEST_CASE(every_variant_with_times_has_its_bound_and_efficiency) {
  const std::string text = bounds_section(comparison_of("graph"));
  BOOST_TEST(mentions(on_one_line(text),
                      {"in us", "in turn 1000", "overlapping 450", "one copy engine", "800."}));
  BOOST_TEST(has(text, "| streams |   800 |      80.0% | host submission | host submission |"),
             text);
  BOOST_TEST(has(text, "| graph   |   800 |     160.0% | host submission |"), text);
  BOOST_TEST(!has(text, "broken"));
  BOOST_TEST(has(table(comparison_of("graph")), text));
}

BOOST_AUTO_TEST_CASE(what_is_left_out_of_bounds_is_said_where_that_is_so) {
  Comparison comparison = comparison_of("graph");
  const auto told = [&] {
    find_bounds(comparison);
    return has(bounds_section(comparison), "Kernels shorter than 10.0 us are left out");
  };
  BOOST_TEST(!told());  // of 20 us each
  comparison.limit->kernels_us = 20;
  BOOST_TEST(!told());  // all copy chunk by chunk
  comparison.measurements[2].plan.model.mover = Mover::fused_per_pass;
  BOOST_TEST(told());
  comparison.limit->kernels_us = 80;
  BOOST_TEST(!told());
}

BOOST_AUTO_TEST_CASE(the_best_number_of_chunks_is_told_where_it_gains_something) {
  Comparison comparison = comparison_of("graph");
  BOOST_TEST(mentions(bounds_section(comparison), {"- 16 chunks of 16 KiB", "450 to 400 us"}));
  comparison.limit->best = BestCut{1, 400};
  BOOST_TEST(has(bounds_section(comparison), "- 1 chunk of 256 KiB "));
  comparison.limit->best = BestCut{63, 446};
  BOOST_TEST(has(bounds_section(comparison), "- No number of chunks"));
}

BOOST_AUTO_TEST_CASE(what_copies_and_calls_cost_is_told) {
  const std::string text = bounds_section(comparison_of("graph"));
  BOOST_TEST(mentions(text, {"copy in", "10.0 us", "1200 us per MiB", "copy out", "20.0", "800"}));
  BOOST_TEST(mentions(on_one_line(text),
                      {"Host time", "us", "cudaMemcpyAsync 6.25", "cudaMemsetAsync 0.5"}));
}

BOOST_AUTO_TEST_CASE(older_files_show_what_they_have) {
  Comparison comparison = comparison_of("graph");
  const Limit full = *comparison.limit;
  comparison.limit = Limit{.bound_us = full.bound_us, .serial_us = full.serial_us};
  BOOST_TEST(bounds_section(comparison).find("\n- ") == std::string::npos);
  for (Measurement& m : comparison.measurements) m.bound_us.reset();
  BOOST_TEST(bounds_section(comparison) == "");
  comparison = comparison_of("graph");
  comparison.limit.reset();
  BOOST_TEST(bounds_section(comparison) == "");
}

BOOST_AUTO_TEST_CASE(long_names_leave_out_the_last_columns) {
  BOOST_TEST(has(bounds_section(comparison_of("graph")), "| limited by "));
  std::string text = bounds_section(comparison_of("pool:opportunistic=on,events=off"));
  BOOST_TEST((has(text, "| bound by ") && !has(text, "| limited by ")), text);
  BOOST_TEST(widest_line(text) <= 80u, text);
  text = bounds_section(comparison_of("pool:opportunistic=on,allocations=2,pools=lane"));
  BOOST_TEST((has(text, "| efficiency |") && !has(text, "| bound by ")), text);
  BOOST_TEST(widest_line(text) <= 80u, text);
}

BOOST_AUTO_TEST_SUITE_END()
