// The page of bounds.
#include "common/explain/analysis/verdict/loads.hpp"
#include "common/explain/analysis/verdict/pipelined.hpp"
#include "common/explain/report/report.hpp"
#include "tests/base/mentions.hpp"
#include "tests/explain/report/check_page.hpp"
#include "tests/model/made_up.hpp"

BOOST_AUTO_TEST_SUITE(report_bounds)

/// Returns the launch preset with 256 KiB in all.
Comparison comparison_of(const std::string& other) {
  Comparison comparison = made_up_comparison({made_up("streams", 900, 1000),
                                              made_up("broken", Status::failed, "wrong data"),
                                              made_up(other, 10, 500)});
  Limit limit{.clear_us = 1, .bound_us = 450, .serial_us = 1000};
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

std::string markdown(const Comparison& comparison) {
  return checked_markdown(bounds_page(comparison));
}

BOOST_AUTO_TEST_CASE(every_variant_with_times_has_its_bound_and_efficiency) {
  const std::string text = markdown(comparison_of("graph"));
  BOOST_TEST(mentions(on_one_line(text), {"launch, limits", "at least 450 us", "1000 us", "800 us",
                                          "one copy engine"}));
  BOOST_TEST(contains(text, "| streams |     1000 |       800 |      80.0% | host submission |"),
             text);
  BOOST_TEST(contains(text, "| graph   |      500 |      16.0 |       3.2% | a lane's stages |"),
             text);
  BOOST_TEST(!contains(text, "broken"));
}

BOOST_AUTO_TEST_CASE(a_pass_that_was_faster_than_the_rates_say_is_told) {
  Comparison comparison = comparison_of("graph");
  BOOST_TEST(!contains(markdown(comparison), "that pass is its bound"));
  comparison.measurements[0].wall->min = 790;
  find_bounds(comparison);
  BOOST_TEST(mentions(on_one_line(markdown(comparison)),
                      {"- streams: a pass took 790 us, less than the bound of 800 us from measured "
                       "rates, so that pass is its bound."}));
}

BOOST_AUTO_TEST_CASE(the_best_number_of_chunks_is_told_where_it_gains_something) {
  Comparison comparison = comparison_of("graph");
  BOOST_TEST(
      mentions(on_one_line(markdown(comparison)), {"- 16 chunks of 16 KiB", "450 to 400 us"}));
  comparison.limit->best = BestCut{1, 400};
  BOOST_TEST(contains(markdown(comparison), "- 1 chunk of 256 KiB "));
  comparison.limit->best = BestCut{63, 446};
  BOOST_TEST(contains(markdown(comparison), "- No number of chunks"));
}

BOOST_AUTO_TEST_CASE(what_copies_and_calls_cost_is_told) {
  const std::string text = markdown(comparison_of("graph"));
  BOOST_TEST(mentions(text, {"copy in", "10.0 us", "1200 us per MiB", "copy out", "20.0", "800"}));
  BOOST_TEST(mentions(on_one_line(text),
                      {"Host time", "us", "cudaMemcpyAsync 6.25", "cudaMemsetAsync 0.5"}));
}

BOOST_AUTO_TEST_CASE(loads_limits_and_next_steps_are_told_of_the_reference_and_the_winners) {
  Comparison comparison = comparison_of("graph");
  const auto larger = 8 * static_cast<double>(comparison.workload.chunk_bytes);
  comparison.limit->other = OtherCut{larger, larger, times_of(*comparison.limit)};
  comparison.measurements.push_back(made_up("engines", 100, 700));
  summarise(comparison);
  find_bounds(comparison);
  comparison.winners = winners_of(comparison);
  const std::string text = on_one_line(markdown(comparison));
  BOOST_TEST(
      mentions(text, {"- streams, 1000 us a pass: ", "host submission 900 us", "Limited by",
                      "To try next: ", "--chunks 8", "- graph, 500 us a pass: ", "Limited by"}));
  // Its bound explains little of its time, so nothing is predicted.
  BOOST_TEST(!contains(text.substr(text.find("- graph, ")), "To try next"));
  BOOST_TEST(!contains(text, "- engines, "));
}

BOOST_AUTO_TEST_CASE(the_regime_is_told) {
  Comparison comparison = comparison_of("graph");
  comparison.regime = "host submission: holds, streams spends 98%";
  BOOST_TEST(mentions(markdown(comparison), {"- Regime: host submission: holds, streams"}));
}

BOOST_AUTO_TEST_CASE(older_files_show_what_they_have) {
  Comparison comparison = comparison_of("graph");
  const Limit full = *comparison.limit;
  comparison.limit = Limit{.bound_us = full.bound_us, .serial_us = full.serial_us};
  BOOST_TEST(!contains(markdown(comparison), "copy engine"));
  for (Measurement& m : comparison.measurements) m.bound_us.reset();
  BOOST_TEST(contains(markdown(comparison), "No limit was measured."));
  comparison = comparison_of("graph");
  comparison.limit.reset();
  BOOST_TEST(contains(markdown(comparison), "No limit was measured."));
}

BOOST_AUTO_TEST_CASE(long_names_leave_out_the_last_columns) {
  const auto text = [](const std::string& name) {
    return as_text(bounds_page(comparison_of(name)));
  };
  BOOST_TEST(contains(text("graph"), "  limited by\n"));
  const std::string longer = text("pool:opportunistic=on,events=off,pools=lane");
  BOOST_TEST((contains(longer, "  bound by\n") && !contains(longer, "  limited by\n")), longer);
  BOOST_TEST(contains(markdown(comparison_of("pool:opportunistic=on,events=off,pools=lane")),
                      "| limited by "));
}

BOOST_AUTO_TEST_SUITE_END()
