// The pages of set-ups, of traced passes, of a pipeline, and of a recorded application's replay.
#include "common/explain/analysis/verdict/verdict.hpp"
#include "common/explain/report/report.hpp"
#include "tests/application/iteration/made_up_replay.hpp"
#include "tests/base/mentions.hpp"
#include "tests/explain/report/check_page.hpp"
#include "tests/explain/report/made_up_prices.hpp"
#include "tests/model/workload/made_up_pipeline.hpp"

BOOST_AUTO_TEST_SUITE(report_pages)

std::string markdown(const Comparison& comparison) { return as_markdown(setup_page(comparison)); }

/// Returns the row of the price table that begins with that name.
std::string price_row(const Comparison& comparison, const std::string& variant) {
  const auto lines = lines_in(markdown(comparison));
  const auto row = std::ranges::find_if(
      lines, [&](const std::string& line) { return line.starts_with("| " + variant + " "); });
  return row == lines.end() ? "" : *row;
}

std::string markdown(const Comparison& comparison, const std::string& simulated) {
  return checked_markdown(timeline_page(comparison, simulated));
}

/// Returns three passes; in the shown one, copies in overlap with kernels for half of the time.
Timeline made_up_timeline() {
  Timeline t;
  t.event_us = {1000, 1100, 1050};
  t.before_us = {20, 20, 21};
  t.span_us = {970, 1070, 1017};
  t.after_us = {10, 10, 11};
  t.overlap = {{"copy in", "copy out", 100, 0.25}, {"copy in", "kernel", 200, 0.5}};
  t.busy = {{"copy in", 400, 0.4}, {"compute", 700, 0.7}};
  t.untraced_us = {950, 900, 1000};
  t.waits = {{"copy in", 300, 10, 0, 5}, {"kernel", 20, 250, 0, 5}};
  return t;
}

Comparison traced() {
  Comparison comparison =
      made_up_comparison({made_up("streams", 900, 1000), made_up("graph", 100, 500)});
  comparison.measurements[0].timeline = made_up_timeline();
  return comparison;
}

std::string text_of(const Workload& workload) { return as_text(pipeline_page(workload)); }

Results replayed() {
  Results results;
  results.context.gpu = {{"name", "NVIDIA Example 100"}};
  results.comparisons = {
      made_up_replay({candidate("calls", 300), candidate("graph", 100),
                      candidate("fewer_waits", 50, Chaining::recorded_one_wait)})};
  return results;
}

/// Returns the words in the page that are about a pipeline.
std::vector<std::string> strange_words(const Page& page) {
  const std::string text = on_one_line(as_text(page));
  std::vector<std::string> found;
  for (const char* word : {"chunk", "lane", "preset", "variant", "tier", "same operations", "pass",
                           "with a star", "streams are", "limit", "round,"}) {
    if (mentions(text, {word})) found.emplace_back(word);
  }
  return found;
}

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

BOOST_AUTO_TEST_CASE(times_shares_and_waits_are_told_of_what_was_traced) {
  const std::string text = markdown(traced(), "");
  BOOST_TEST_CONTEXT(text) {
    BOOST_TEST(contains(text, "launch, traced"));
    BOOST_TEST(mentions(text, {"Traced passes in us", "medians of 3"}));
    // 1050 us between the events, and 950 without tracing.
    BOOST_TEST(
        contains(text, "| streams |       1050 |   20.0 |       1017 |  10.0 |         +11% |"));
    BOOST_TEST(contains(
        text, "| streams |    25% |       50% |          - | 40% |     70% |   - | the host  |"));
    BOOST_TEST(!contains(text, "graph"));
  }
}

BOOST_AUTO_TEST_CASE(nothing_traced_is_nothing_told) {
  Comparison comparison = traced();
  comparison.measurements[0].timeline.reset();
  BOOST_TEST(contains(markdown(comparison, ""), "Nothing was traced: run with --trace"));
}

BOOST_AUTO_TEST_CASE(where_events_and_operations_disagree_it_says_by_how_much) {
  Comparison comparison = traced();
  BOOST_TEST(
      mentions(on_one_line(markdown(comparison, "")), {"within 1 us or 1%", "1 of 1 variant"}));
  Timeline other = made_up_timeline();
  for (double& us : other.span_us) us -= 12.5;  // of 1050, of which 1% is 10.5
  comparison.measurements[1].timeline = other;
  const std::string text = markdown(comparison, "");
  BOOST_TEST_CONTEXT(text) {
    BOOST_TEST(mentions(on_one_line(text), {"1 of 2 variants", "graph by 12.5"}));
  }
}

BOOST_AUTO_TEST_CASE(what_operations_wait_for_most_is_named) {
  Comparison comparison = traced();
  std::vector<TimelineWaits>& waits = comparison.measurements[0].timeline->waits;
  waits = {{"copy in", 1, 2, 300, 5}, {"kernel", 1, 2, {}, 5}};
  BOOST_TEST(contains(markdown(comparison, ""), "| stream order |"));
  waits = {{"copy in", 1, 2, 3, 5}};
  BOOST_TEST(contains(markdown(comparison, ""), " - | -  "));
}

BOOST_AUTO_TEST_CASE(of_older_files_nobody_knows_what_tracing_added) {
  Comparison comparison = traced();
  comparison.measurements[0].timeline->untraced_us.reset();
  BOOST_TEST(contains(markdown(comparison, ""), "|  10.0 |            - |"));
}

BOOST_AUTO_TEST_CASE(simulated_times_are_called_simulated) {
  BOOST_TEST(mentions(markdown(traced(), "Example"), {"Simulated Example", "Traced"}));
}

BOOST_AUTO_TEST_CASE(buffers_have_their_role_their_size_and_their_check) {
  const std::string text = text_of(made_up_workload());
  BOOST_TEST(mentions(text, {"3 chunks of 10 items, the last of 4.", "10 x uint8", "scratch",
                             "11 x uint32", "serial, every byte"}));
}

BOOST_AUTO_TEST_CASE(stages_have_their_order_their_grid_and_their_arguments) {
  const std::string text = text_of(made_up_workload());
  BOOST_TEST(mentions(text, {"copy in a, copy in b", "in a, in b, out mid", "memset out, mix"}));
}

BOOST_AUTO_TEST_CASE(what_is_not_checked_and_what_fills_a_buffer_is_said) {
  Pipeline pipeline = made_up_pipeline();
  pipeline.buffers[3].check = Check::none;
  pipeline.buffers[0].fill = Fill::file;
  pipeline.buffers[0].fill_file = "in.raw";
  pipeline.fused = made_up_kernel("all", {made_up_argument(ArgumentKind::in, 0)});
  const std::string text = text_of(workload_of("other", std::move(pipeline)));
  BOOST_TEST(mentions(text, {"in.raw", "not checked",
                             "Fused: all does a whole chunk on mapped host memory (in a)."}));
}

BOOST_AUTO_TEST_CASE(the_screen_is_about_candidates) {
  const Page page = screen_page(replayed(), "");
  BOOST_TEST(strange_words(page).empty(), as_text(page));
  const std::string text = on_one_line(as_text(page));
  BOOST_TEST(
      mentions(text, {"NVIDIA Example 100: ./app --fast, 3 candidates", "Answer", "Graph?"}));
  BOOST_TEST(strange_words(answers_page(replayed())).empty());
}

BOOST_AUTO_TEST_CASE(every_page_is_about_an_iteration) {
  const Results results = replayed();
  const Comparison& comparison = results.comparisons.front();
  const std::string times = on_one_line(as_text(times_page(comparison, "")));
  BOOST_TEST(
      mentions(times, {"21 timed iterations", "Submit: the host's calls without its waits."}));
  BOOST_TEST(!mentions(times, {"calls *"}));
  BOOST_TEST(!mentions(times, {"same operations"}));
  BOOST_TEST(!mentions(as_text(timeline_page(comparison, "")), {"run with --trace"}));
}

BOOST_AUTO_TEST_SUITE_END()
