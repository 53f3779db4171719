// Tables: readable at 80 columns, and valid Markdown.
#include "common/report/report.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <sstream>

#include "common/analysis/verdict/verdict.hpp"
#include "common/report/report_parts.hpp"
#include "common/text/markdown.hpp"
#include "tests/results/made_up.hpp"
#include "tests/text/mentions.hpp"

using namespace trilane;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// At most 80 columns, one number of cells in all rows of a table, an empty line before and after
/// it.
void check_page(const std::string& text) {
  const auto lines = lines_of(text);
  std::ptrdiff_t cells = 0;
  std::size_t rows = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    BOOST_TEST(lines[i].size() <= 80, lines[i]);
    BOOST_TEST(!lines[i].ends_with(' '), lines[i]);
    if (!lines[i].starts_with('|')) continue;
    const auto found = std::ranges::count(lines[i], '|');
    if (rows++ == 0 || !lines[i - 1].starts_with('|')) {
      cells = found;
      BOOST_TEST((i > 0 && lines[i - 1].empty()));
      BOOST_TEST(lines.at(i + 1).find_first_not_of("|:- ") == std::string::npos);
    }
    BOOST_TEST(found == cells, lines[i]);
    const bool last = i + 1 == lines.size() || !lines[i + 1].starts_with('|');
    BOOST_TEST((!last || i + 1 == lines.size() || lines[i + 1].empty()));
  }
  BOOST_TEST(rows >= 2);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Three set-ups of which the capture takes three quarters, and four passes after each.
Price price_of(double setup_us, double pass_us) {
  Price price;
  for (const double factor : {0.9, 1.0, 1.2}) {
    price.setup_us.push_back(factor * setup_us);
    price.teardown_us.push_back(factor * setup_us / 10);
  }
  price.phases = {{"streams", {1, 1, 1}}, {"capture", {}}, {"other", {0, 0, 0}}};
  for (const double us : price.setup_us) price.phases[1].values.push_back(0.75 * us);
  price.passes_us = {std::vector(3, 1.5 * pass_us), std::vector(3, pass_us),
                     std::vector(3, pass_us), std::vector(3, pass_us)};
  price.device_bytes = {32768, 32768, 32768};
  return price;
}

Comparison full() {
  auto serial = made_up("serial", 4100, 4100);
  serial.plan.blocks = true;
  Comparison comparison = made_up_comparison(
      {serial, made_up("streams", 1370, 1390), made_up("graph", 283, 480),
       made_up("pool", 1375, 1390),
       made_up("malloc", Status::failed, "wrong data: word 17 of chunk 3 is 0, must be 4711"),
       made_up("graph_pool", Status::not_supported, "this GPU has no memory pools")});
  comparison.limit = Limit{};
  comparison.limit->bound_us = 431;
  comparison.limit->kernels_us = 8.4;
  comparison.limit->steady_work_us = 6.25;
  comparison.regime = "host submission: holds, streams spends 98% of its time submitting";
  return comparison;
}

/// What the device has less free, and what the pool reports.
void keeps(Price& price, std::uint64_t held, std::uint64_t used, std::uint64_t reserved) {
  price.device_bytes = {held, held, held};
  price.pool_used_high_bytes = used;
  price.pool_reserved_high_bytes = reserved;
}

/// The same with prices; the pool's tell of its memory.
Comparison priced() {
  Comparison comparison = full();
  auto& all = comparison.measurements;
  all[1].price = price_of(50, 1390);
  all[2].price = price_of(2000, 480);
  all[2].break_even = BreakEven{Pays::later, 2.3, 2.1, 2.46, Crossing{15, 8, 2.5, 2.4, 2.6}};
  all[3].price = price_of(140, 1390);
  all[3].price->priming_us = {100, 110, 120};
  keeps(*all[3].price, 32 << 20, 8192, 32 << 20);
  all[3].break_even = BreakEven{Pays::at_first, 12, 3, std::nullopt, std::nullopt};
  return comparison;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(report)

BOOST_AUTO_TEST_CASE(a_full_table_has_these_columns_and_tells_all_else_in_this_order) {
  const std::string text = table(full()), line = on_one_line(text);
  check_page(text);
  BOOST_TEST(mentions(
      line, {"### launch: 64 chunks x 4 KiB, 4 lanes, depth 4, 1 round", "Latency", "21 rounds",
             "1.2 s", "precision", "21 timed passes", "seed 0", "Medians in us", "| variant "}));
  BOOST_TEST(contains(text, R"(
| variant    | submit | device | wall | wall p99 | speed vs streams     |
| :--------- | -----: | -----: | ---: | -------: | :------------------- |
| serial *   |   4100 |   3895 | 4100 |     4120 | 0.339 [0.338, 0.340] |
| streams    |   1370 |   1320 | 1390 |     1397 | reference            |
| graph      |    283 |    456 |  480 |      482 | 2.896 [2.886, 2.906] |
| pool       |   1375 |   1320 | 1390 |     1397 | tie [0.997, 1.003]   |
| malloc     |      - |      - |    - |        - | failed               |
| graph_pool |      - |      - |    - |        - | not supported        |

- malloc: wrong data: word 17 of chunk 3 is 0, must be 4711
- graph_pool: this GPU has no memory pools
- )"));
  BOOST_TEST(mentions(line, {"- A star", "waits for the device", "- Set-up in us", "first pass",
                             "serial 41000 (12300), streams 13700 (4170), graph 2830 (1440), "
                             "pool 13750 (4170)",
                             "- Limit", "431 us", "graph at 480 us", "90%", "- Regime",
                             "host submission", "holds", "streams spends 98%"}));
  BOOST_TEST(line.ends_with(" " + on_one_line(paragraph(verdict(full())))));
}

BOOST_AUTO_TEST_CASE(prices_have_these_columns_and_say_how_to_read_them) {
  const std::string text = table(priced()), line = on_one_line(text);
  check_page(text);
  BOOST_TEST(mentions(
      line, {"Set-up in us, median [quartiles] of 3", "Memory:", "host buffers (512 KiB)",
             "First:", "noise", "Break-even:", "95%", "tear-down is not counted", "| variant "}));
  BOOST_TEST(contains(text, R"(
| variant |            set-up | memory | first | break-even             |
| :------ | ----------------: | -----: | ----: | :--------------------- |
| streams | 50.0 [47.5, 55.0] | 32 KiB |  +695 | reference              |
| graph   | 2000 [1900, 2200] | 32 KiB |  +240 | 2.3 [2.1, 2.5]         |
| pool    |    140 [133, 154] | 32 MiB |  +695 | first 12 [3.0, always] |
)"));
  BOOST_TEST(mentions(line, {"- Most of the set-up", "streams: capture 37.5", "graph: capture 1500",
                             "pool: capture 105, first pass: pool priming 110"}));
  BOOST_TEST(mentions(line, {"- Pools", "pool used 8 KiB", "32 MiB"}));
  BOOST_TEST(mentions(line, {"- Break-even", "real sequences", "graph predicted 2.3",
                             "measured 2.5 [2.4, 2.6] (-8%)"}));
}

/// The row of the price table that begins with that name.
std::string price_row(const Comparison& comparison, const std::string& variant) {
  const auto lines = lines_of(price_section(comparison));
  const auto row = std::ranges::find_if(
      lines, [&](const std::string& line) { return line.starts_with("| " + variant + " "); });
  return row == lines.end() ? "" : *row;
}

BOOST_AUTO_TEST_CASE(a_first_pass_within_its_spread_takes_nothing_more) {
  Comparison comparison = priced();
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
  BOOST_TEST(contains(first(0.09, passes.back()), "|     0 |"));  // no clock tells that
}

BOOST_AUTO_TEST_CASE(tear_down_is_told_where_there_is_room) {
  Comparison comparison = priced();
  comparison.measurements[3].break_even.reset();
  const std::string text = price_section(comparison);
  BOOST_TEST(contains(text, "| memory | first | tear-down | break-even     |"), text);
  BOOST_TEST(contains(price_row(comparison, "graph"), "|       200 | 2.3"));
}

BOOST_AUTO_TEST_CASE(pools_are_told_where_they_differ_from_what_is_held) {
  Comparison comparison = priced();
  Price& pool = *comparison.measurements[3].price;
  const auto told = [&] {
    const std::string text = price_section(comparison);
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
      mentions(on_one_line(price_section(comparison)),
               {"set-up, of the fastest and the reference: streams: capture 75.0; " + fastest}));
  comparison.reference.clear();
  BOOST_TEST(
      mentions(on_one_line(price_section(comparison)), {"set-up, of the fastest: " + fastest}));
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

BOOST_AUTO_TEST_CASE(simulated_times_are_called_so_with_the_profile) {
  const std::string name = "NVIDIA H200 (profile of 2026-11-21)";
  const std::string text = table(full(), name);
  check_page(text);
  BOOST_TEST(mentions(on_one_line(text),
                      {"Simulated " + name, "Latency", "Medians in us, simulated",
                       "launch, simulated " + name, "use graph", "2.90 times", "streams"}));
  BOOST_TEST(!contains(table(full()), "imulated"));
  check_page(table(full(), std::string(100, 'p')));
}

BOOST_AUTO_TEST_CASE(extremes_stay_within_the_page) {
  const std::string name = "a_very_long_variant_";
  for (const double wall : {1e-3, 1.0, 123.456, 99999.0, 1e6, 1e7, 1e9, 1e11}) {
    for (const double other : {1e-3, 0.6, 1.0, 1e7, 1e11}) {
      auto first = made_up(name, other, other), second = made_up(name.substr(1) + "x", wall, wall);
      first.plan.blocks = second.plan.blocks = true;
      Comparison comparison = made_up_comparison(
          {first, second, made_up("z" + name.substr(1), Status::failed, std::string(300, 'x')),
           made_up("y" + name.substr(1), Status::not_supported, "many words " + name)},
          name);
      comparison.workload.modified = true;
      comparison.workload.rounds = 4000000000;
      comparison.workload.bytes = 1ull << 60;
      comparison.workload.chunk_bytes = (1ull << 40) + 4;
      comparison.limit = Limit{};
      comparison.limit->bound_us = wall;
      for (Measurement& m : comparison.measurements) m.price = price_of(other, wall);
      comparison.measurements[1].break_even = BreakEven{
          Pays::at_first, wall, wall / 2, 2 * wall, Crossing{15, 4000000000, 2 * wall, wall, {}}};
      comparison.regime = "words and " + std::string(200, 'y');
      check_page(table(comparison));
    }
  }
}

BOOST_AUTO_TEST_CASE(every_state_of_a_run_has_a_table) {
  Comparison comparison = full();
  comparison.mode = Mode::throughput;
  comparison.batch = 8;
  comparison.stopped = "interrupted";
  std::string text = table(comparison);
  check_page(text);
  BOOST_TEST(mentions(on_one_line(text),
                      {"Throughput", "batches of 8 passes", "21 rounds", "1.2 s", "interrupted"}));

  check_page(table(made_up_comparison({})));
  check_page(table(made_up_comparison({made_up("graph", Status::not_run, "")}, "")));
  text = table(made_up_comparison({made_up("graph", 1, 2), made_up("pool", 2, 4)}, ""));
  check_page(text);
  BOOST_TEST(contains(text, "| result |"));
  text = table(made_up_comparison({made_up("graph", 1, 2, 3), made_up("streams", 2, 4, 3)}));
  check_page(text);
  BOOST_TEST(contains(text, "| too few rounds"));
}

BOOST_AUTO_TEST_CASE(speeds_beyond_the_columns_are_bounded) {
  const struct {
    Ratio ratio;
    const char* cell;
  } cases[]{{{1e6, 9e5, 2e6}, "| <.001 [<.001, <.001] |"},
            {{1e-6, 9e-7, 2e-6}, "| >9999 [>9999, >9999] |"},
            {{0.1, 0.09, 0.5}, "| 10.0 [2.000, 11.1]   |"},
            {{1e-3, 1e-3, 1e-3}, "| 1000 [1000, 1000]    |"},
            {{0.5, 0.25, 0.99}, "| 2.000 [1.010, 4.000] |"},
            {{0.5, 0.25, 1}, "| tie [1.000, 4.000]   |"}};
  Comparison comparison = full();
  for (const auto& [ratio, cell] : cases) {
    comparison.measurements[0].ratio = ratio;
    const std::string text = table(comparison);
    check_page(text);
    BOOST_TEST(contains(text, cell), cell);
  }
}

BOOST_AUTO_TEST_CASE(long_times_change_the_unit) {
  BOOST_TEST(
      contains(table(made_up_comparison({made_up("graph", 1, 900000)}, "")), "Medians in us"));
  const std::string ms = table(made_up_comparison({made_up("graph", 1, 1e7)}, ""));
  BOOST_TEST(contains(ms, "Medians in ms"));
  BOOST_TEST(contains(ms, " 10000 |"));
  BOOST_TEST(contains(ms, "|  0.001 |"));
  BOOST_TEST(contains(table(made_up_comparison({made_up("graph", 0.4, 1e7)}, "")), "| <0.001 |"));
  BOOST_TEST(contains(table(made_up_comparison({made_up("graph", 1, 1e10)}, "")), "Medians in s."));
}

BOOST_AUTO_TEST_CASE(a_message_cannot_break_the_page) {
  const std::string text = table(made_up_comparison({made_up(
      "graph", Status::failed, "one\n\n# two\ttabs\x1b[31m\x7f and " + std::string(90, 'u'))}));
  check_page(text);
  BOOST_TEST(contains(text, "- graph: one # two tabs [31m and\n  uuuu"));
}

BOOST_AUTO_TEST_CASE(a_plan_is_told_in_full) {
  Plan plan{
      .model = {Issuer::graph, Chaining::lanes, ScratchSource::lane, Mover::engines_per_chunk},
      .calls = {{"cudaGraphLaunch", 1}, {"cudaEventRecord", 2}},
      .nodes = {{"kernel nodes", 256},
                {"memcpy nodes", 128},
                {"memset nodes", 64},
                {"roots", 4},
                {"edges", 316}},
      .facts = {},
      .scratch_bytes = 32768,
      .streams = 4,
      .blocks = true,
      .needs_pools = false};
  const std::string text = plan_table(presets().front(), "graph", plan);
  check_page(text);
  BOOST_TEST(text == R"(### launch, graph: 64 chunks x 4 KiB, 4 lanes, depth 4, 1 round

| plan                               |   graph |
| :--------------------------------- | ------: |
| bytes in                           | 256 KiB |
| bytes out                          | 256 KiB |
| device memory for chunks           |  32 KiB |
| streams                            |       4 |
| host threads besides the caller    |       0 |
| submit waits for the device        |     yes |
| needs memory pools                 |      no |
| kernels read and write host memory |      no |
| runtime calls a pass               |       3 |
| - cudaGraphLaunch                  |       1 |
| - cudaEventRecord                  |       2 |
| graph nodes                        |     448 |
| - kernel nodes                     |     256 |
| - memcpy nodes                     |     128 |
| - memset nodes                     |      64 |
| - roots                            |       4 |
| - edges                            |     316 |
)");
  plan.nodes.clear();
  BOOST_TEST(!contains(plan_table(presets().front(), "graph", plan), "graph nodes"));
  for (const Workload& preset : presets()) check_page(plan_table(preset, "graph_pool", plan));
}

BOOST_AUTO_TEST_CASE(text_wraps_between_words_and_counts_characters) {
  const std::string forty = "\u00e4123456789012345678901234567890123456789";
  BOOST_TEST(paragraph(forty + " " + forty.substr(0, 40)) ==
             forty + " " + forty.substr(0, 40) + "\n");
  BOOST_TEST(paragraph(forty + " " + forty) == forty + "\n" + forty + "\n");
  BOOST_TEST(bullet("a  b\n") == "- a b\n");
  BOOST_TEST(paragraph("") == "\n");
  std::string umlauts;
  for (int i = 0; i < 81; ++i) umlauts += "\u00e4";
  BOOST_TEST(paragraph(umlauts) == umlauts.substr(0, 160) + "\n\u00e4\n");
}

BOOST_AUTO_TEST_CASE(the_limit_is_the_hosts_where_submitting_takes_longer) {
  Comparison comparison = made_up_comparison({made_up("streams", 200, 250)});
  comparison.limit = Limit{};
  comparison.limit->bound_us = 100;
  const std::string text = table(comparison);
  BOOST_TEST(mentions(on_one_line(text), {"- Limit", "200 us to submit", "80%"}));
  comparison.measurements[0].plan.blocks = true;  // its submit is the pass itself
  BOOST_TEST(!mentions(table(comparison), {"to submit"}));
  BOOST_TEST(mentions(table(comparison), {"- Limit", "40%"}));
  comparison.limit->bound_us = 255;  // one measurement differs from another by that
  BOOST_TEST(mentions(table(comparison), {"- Limit", "streams at 250 us", "100%"}));
  comparison.limit->bound_us = 300;
  BOOST_TEST(mentions(table(comparison), {"- Limit", "streams at 250 us", "less"}));
}

BOOST_AUTO_TEST_CASE(who_is_not_bound_by_the_limit_is_named_where_faster) {
  Measurement fused = made_up("fused", 5, 90);
  fused.plan.model.mover = Mover::fused_per_pass;
  Comparison comparison = made_up_comparison({made_up("streams", 20, 250), fused});
  comparison.limit = Limit{};
  comparison.limit->bound_us = 100;
  const std::string text = table(comparison);
  BOOST_TEST(mentions(on_one_line(text), {"fused, to which it does not", "90.0 us"}));
  comparison.limit->bound_us = 80;
  BOOST_TEST(!contains(table(comparison), "to which it does not"));
}

BOOST_AUTO_TEST_CASE(a_queue_that_is_full_is_told) {
  Comparison comparison = made_up_comparison({made_up("streams", 200, 250)});
  comparison.workload.lanes = 1;
  comparison.workload.depth = 1;
  comparison.workload.bytes = 250 * comparison.workload.chunk_bytes;
  BOOST_TEST(mentions(table(comparison), {"Each lane gets 1000 operations"}));
  comparison.workload.bytes -= comparison.workload.chunk_bytes;
  BOOST_TEST(!mentions(table(comparison), {"Each lane gets"}));
}

BOOST_AUTO_TEST_CASE(the_kernel_time_asked_for_stands_beside_the_one_measured) {
  Comparison comparison = made_up_comparison({made_up("streams", 200, 250)});
  comparison.limit = Limit{};
  comparison.limit->kernels_us = 99;
  comparison.workload.depth = 2;
  comparison.workload.rounds = 1234;
  BOOST_TEST(!mentions(table(comparison), {"Kernel time"}));
  comparison.requested_kernel_us = 50;
  BOOST_TEST(mentions(table(comparison),
                      {"Kernel time", "50.0 us requested", "49.5 us measured", "1234 rounds"}));
  BOOST_TEST(mentions(table(comparison, "some profile"), {"Kernel time", "49.5 us simulated"}));
}

BOOST_AUTO_TEST_CASE(a_table_as_wide_as_the_page_keeps_its_columns) {
  Table table{{"name", "a", ">b"},
              {{std::string(56, 'x'), "12345", "1234\u00b5"}, {"y", "2", "3"}}};
  BOOST_TEST(lines_of(markdown_table(fitted(table, {">b"}))).front().size() == 76u);
  table.rows[0][0] += "xxxx";  // 80 characters; the micro sign is two bytes
  BOOST_TEST(fitted(table, {">b"}).heads.size() == 3u);
  table.rows[0][0] += "x";
  const Table narrow = fitted(table, {"nothing", ">b", "a"});
  BOOST_TEST(narrow.heads.size() == 2u);
  BOOST_TEST(narrow.heads.back() == "a");
  BOOST_TEST(narrow.rows[1] == (std::vector<std::string>{"y", "2"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
