// The page of set-ups: prices, break-even, phases and pools.
#include <boost/test/unit_test.hpp>

#include "common/explain/analysis/verdict/verdict.hpp"
#include "common/explain/report/report.hpp"
#include "tests/base/mentions.hpp"
#include "tests/explain/report/check_page.hpp"
#include "tests/explain/report/made_up_prices.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(report_setup)

namespace {

std::string markdown(const Comparison& comparison) { return as_markdown(setup_page(comparison)); }

/// Returns the row of the price table that begins with that name.
std::string price_row(const Comparison& comparison, const std::string& variant) {
  const auto lines = lines_in(markdown(comparison));
  const auto row = std::ranges::find_if(
      lines, [&](const std::string& line) { return line.starts_with("| " + variant + " "); });
  return row == lines.end() ? "" : *row;
}

}  // namespace

BOOST_AUTO_TEST_CASE(prices_have_these_columns_and_say_how_to_read_them) {
  const std::string text = markdown(priced_of_every_kind()), line = on_one_line(text);
  check_page(setup_page(priced_of_every_kind()));
  BOOST_TEST(mentions(
      line, {"Set-up in us, median [quartiles] of 3", "Memory:", "host buffers (512 KiB)",
             "First:", "noise", "Break-even:", "95%", "tear-down is not counted", "| variant "}));
  BOOST_TEST(contains(text, R"(
| variant |            set-up | memory | first | tear-down | break-even             |
| :------ | ----------------: | -----: | ----: | --------: | :--------------------- |
| streams | 50.0 [47.5, 55.0] | 32 KiB |  +695 |      5.00 | reference              |
| graph   | 2000 [1900, 2200] | 32 KiB |  +240 |       200 | 2.3 [2.1, 2.5]         |
| pool    |    140 [133, 154] | 32 MiB |  +695 |      14.0 | first 12 [3.0, always] |
)"));
  BOOST_TEST(mentions(line, {"- Most of the set-up", "streams: capture 37.5", "graph: capture 1500",
                             "pool: capture 105, first pass: pool priming 110"}));
  BOOST_TEST(mentions(line, {"- Pools", "pool used 8 KiB", "32 MiB"}));
  BOOST_TEST(mentions(line, {"- Break-even", "real sequences", "graph predicted 2.3",
                             "measured 2.5 [2.4, 2.6] (-8%)"}));
}

BOOST_AUTO_TEST_CASE(a_first_pass_within_its_spread_takes_nothing_more) {
  Comparison comparison = priced_of_every_kind();
  auto& passes = comparison.measurements[1].price->passes_us;
  const auto first = [&](double by, std::vector<double> us) {
    for (double& each : us) each += by;
    passes.front() = std::move(us);
    return price_row(comparison, "streams");
  };
  passes.back() = {1000, 2000, 3000, 4000, 5000};  // each set-up has a level of its own
  BOOST_TEST(contains(first(7, passes.back()), "| +7.00 |"));
  BOOST_TEST(contains(first(-7, passes.back()), "| -7.00 |"));
  BOOST_TEST(contains(first(0, {900, 1900, 3005, 4100, 5100}), "|     0 |"));
  BOOST_TEST(contains(first(0, {1004, 2005, 3006, 4007, 1}), "| +5.00 |"));
  BOOST_TEST(contains(first(0.09, passes.back()), "|     0 |"));  // no clock resolves that
}

BOOST_AUTO_TEST_CASE(pools_are_told_where_they_differ_from_what_is_held) {
  Comparison comparison = priced_of_every_kind();
  Price& pool = *comparison.measurements[3].price;
  const auto told = [&] {
    const std::string text = markdown(comparison);
    const std::size_t from = text.find("- Pools: ");
    return from == text.npos ? "" : text.substr(from, text.find('\n', from) - from);
  };
  keeps(pool, 0, 8192, 32 << 20);
  BOOST_TEST(mentions(told(), {"pool used 8 KiB of 32 MiB", "released all"}));
  BOOST_TEST(contains(price_row(comparison, "pool"), "|    0 B |"));
  keeps(pool, 32 << 20, 8192, 64 << 20);
  BOOST_TEST(mentions(told(), {"pool used 8 KiB of 64 MiB", "released 32 MiB"}));
  keeps(pool, 32 << 20, 32 << 20, 32 << 20);
  BOOST_TEST(told() == "");
  keeps(pool, 32 << 20, 0, 0);
  pool.graph_reserved_bytes = 32 << 20;
  BOOST_TEST(told() == "");
  pool.graph_reserved_bytes = 64 << 20;
  BOOST_TEST(mentions(told(), {"pool has 64 MiB", "graph memory"}));
}

BOOST_AUTO_TEST_CASE(phases_are_told_of_the_reference_and_the_fastest) {
  Comparison comparison = made_up_comparison({made_up("serial", 1, 900), made_up("streams", 1, 800),
                                              made_up("a", 1, 100), made_up("b", 1, 700),
                                              made_up("c", 1, 300), made_up("d", 1, 200)});
  for (Measurement& m : comparison.measurements) m.price = price_of(100, 10);
  const std::string fastest = "a: capture 75.0; c: capture 75.0; d: capture 75.0.";
  BOOST_TEST(
      mentions(on_one_line(markdown(comparison)),
               {"set-up, of the fastest and the reference: streams: capture 75.0; " + fastest}));
  comparison.reference.clear();
  BOOST_TEST(mentions(on_one_line(markdown(comparison)), {"set-up, of the fastest: " + fastest}));
}

BOOST_AUTO_TEST_CASE(counts_of_passes_are_short) {
  const std::pair<double, const char*> cases[]{
      {0, "0"},     {0.04, "<0.1"},     {0.06, "0.1"},      {9.94, "9.9"},
      {9.96, "10"}, {12345.6, "12346"}, {99999.6, "1e+05"}, {3e12, "3e+12"}};
  for (const auto& [passes, text] : cases) BOOST_TEST(passes_text(passes) == text);
  BOOST_TEST(pays_text({Pays::later, 3, 2, {}, {}}) == "3.0 [2.0, never]");
  BOOST_TEST(pays_text({Pays::at_first, 30, 20, 50, {}}) == "first 30 [20, 50]");
  BOOST_TEST(pays_text({Pays::at_once, 0, 0, 0, {}}) == "at once");
  BOOST_TEST(pays_text({Pays::at_once, 0, 0, 40, {}}) == "at once [0, 40]");
  BOOST_TEST(pays_text({Pays::at_once, 0, 0, {}, {}}) == "at once [0, never]");
  BOOST_TEST(pays_text({Pays::never, {}, {}, {}, {}}) == "never");
  BOOST_TEST(pays_text({Pays::never, {}, 40, {}, {}}) == "never [40, never]");
}

BOOST_AUTO_TEST_CASE(a_run_that_priced_nothing_tells_what_it_knows) {
  BOOST_TEST(mentions(on_one_line(markdown(of_every_kind())),
                      {"Set-up in us", "first pass", "serial 41000 (12300)", "pool 13750 (4170)"}));
  BOOST_TEST(contains(markdown(made_up_comparison({})), "No variant was set up"));
}

BOOST_AUTO_TEST_SUITE_END()
