// The best value of a knob, how flat it is, and the words on it.
#include "common/measure/sweep/map/regimes.hpp"

#include "common/measure/sweep/sweep_file.hpp"
#include "tests/base/mentions.hpp"
#include "tests/explain/report/check_page.hpp"

BOOST_AUTO_TEST_SUITE(curves)

/// For a variant that was not timed.
constexpr double untimed = 0;

using Times = std::vector<double>;

/// Returns streams, graph_coalesced and fused, one of each tier, at the values, each with an
/// interval of `half_width` either way. The fastest of a value wins. Every value has the same
/// input, unless `bytes` has one for each.
RegimeMap made_up_curve(const Axis& axis, const std::vector<Times>& times, double half_width = 0,
                        const Times& bytes = {}) {
  const std::vector<std::string> names{"streams", "graph_coalesced", "fused"};
  SweepRequest request;
  request.columns = axis;
  request.base.name = "custom";
  RegimeMap map =
      empty_map(request, {names.begin(), names.begin() + static_cast<std::ptrdiff_t>(times.size())},
                {enumerators<Tier>.begin(), enumerators<Tier>.begin() + times.size()});
  map.reference = "streams";
  for (Cell& cell : map.cells) {
    double fastest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < times.size(); ++i) {
      const double us = times[i].at(cell.column);
      if (us == untimed) {
        cell.left_out.emplace_back(names[i], "not supported: none here");
      } else if (us < fastest) {
        fastest = us;
        cell.winner = names[i];
      }
    }
    if (cell.winner.empty()) continue;
    cell.status = Status::ok;
    cell.stopped = "decided";
    cell.visits = 1;
    cell.workload = presets().front();
    if (!bytes.empty()) cell.workload.bytes = static_cast<std::uint64_t>(bytes[cell.column]);
    for (std::size_t i = 0; i < times.size(); ++i) {
      const double us = times[i].at(cell.column);
      if (us == untimed) continue;
      cell.winners.push_back({.tier = enumerators<Tier>[i], .variant = names[i], .ratio = {}});
      cell.variants.push_back({.variant = names[i],
                               .wall_us = us,
                               .submit_us = 1,
                               .wall_low_us = us * (1 - half_width),
                               .wall_high_us = us * (1 + half_width),
                               .over_winner = us / fastest,
                               .low = us / fastest,
                               .high = us / fastest,
                               .rounds = 20,
                               .processes = {{us, 1}}});
    }
  }
  find_regimes(map);
  return map;
}

const Axis some_chunks{.knob = "chunks", .values = {1, 2, 4, 8, 16}};

/// Returns one variant, streams, over these numbers of chunks.
RegimeMap made_up_curve(const Times& times, double half_width = 0) {
  return made_up_curve(some_chunks, {times}, half_width);
}

using Ends = std::pair<std::size_t, std::size_t>;

Ends ends(const Span& span) { return {span.first, span.last}; }

Optimum found(const RegimeMap& map, std::size_t variant = 0) {
  return map.curves.at(variant).optimum.value();
}

std::string words(const RegimeMap& map, std::size_t variant = 0) {
  return map.curves.at(variant).words;
}

std::string text(const RegimeMap& map) {
  const Page page = sweep_page(map);
  check_page(page);
  return as_text(page);
}

BOOST_AUTO_TEST_CASE(the_best_value_is_the_fastest_and_its_neighbours_within_two_percent_are_told) {
  const RegimeMap map = made_up_curve({900, 605, 595, 600, 700});
  BOOST_TEST(found(map).best == 2u);
  BOOST_TEST((ends(found(map).within) == Ends{1, 3}));
  BOOST_TEST((ends(found(map).perhaps) == Ends{1, 3}));
  BOOST_TEST(found(map).further.empty());
  BOOST_TEST(words(map) == "595 us with 4 chunks; 2 to 8 within 2%");
}

BOOST_AUTO_TEST_CASE(a_value_is_within_only_if_its_whole_interval_is) {
  // 1.7% slower with 0.5% each way on both: 1.0% to 2.4%.
  const RegimeMap map = made_up_curve({900, 605, 595, 700, 800}, 0.005);
  BOOST_TEST((ends(found(map).within) == Ends{2, 2}));
  BOOST_TEST((ends(found(map).perhaps) == Ends{1, 2}));
  BOOST_TEST(
      mentions(words(map), {"595 us [592, 598 in this process]", "; 2 to 4 perhaps within 2%"}));
  RegimeMap several = map;
  for (Cell& cell : several.cells) cell.visits = 5;
  find_regimes(several);
  BOOST_TEST(mentions(words(several), {"595 us [592, 598] with 4 chunks"}));
  // 2.4% slower: 1.7% to 3.1%; and 0.1% is 0.6% slower at most.
  const RegimeMap both = made_up_curve({900, 609.3, 595, 595.5, 800}, 0.005);
  BOOST_TEST((ends(found(both).within) == Ends{2, 3}));
  BOOST_TEST((ends(found(both).perhaps) == Ends{1, 3}));
  BOOST_TEST(mentions(words(both), {"4 to 8 within 2%, 2 to 8 perhaps"}));
}

BOOST_AUTO_TEST_CASE(beyond_a_slower_value_the_optimum_is_not_flat) {
  const RegimeMap map = made_up_curve({596, 700, 595, 900, 900});
  BOOST_TEST((ends(found(map).within) == Ends{2, 2}));
  BOOST_TEST(words(map) == "595 us with 4 chunks; no other value within 2%");
}

BOOST_AUTO_TEST_CASE(of_equal_times_the_first_value_is_the_best) {
  const RegimeMap map = made_up_curve({900, 600, 600, 600, 900});
  BOOST_TEST(found(map).best == 1u);
  BOOST_TEST((ends(found(map).within) == Ends{1, 3}));
}

BOOST_AUTO_TEST_CASE(a_best_value_at_an_end_says_so_and_how_to_sweep_further) {
  const RegimeMap more = made_up_curve({900, 800, 700, 600, 500});
  BOOST_TEST(found(more).further == "chunks=8..64");
  BOOST_TEST(words(more) ==
             "500 us with 16 chunks, the largest value tried; no other value within 2%. Sweep "
             "further: chunks=8..64");
  const RegimeMap less = made_up_curve({500, 505, 700, 800, 900});
  BOOST_TEST(found(less).further.empty());
  BOOST_TEST(words(less) == "500 us with 1 chunk, the smallest value there is; 1 to 2 within 2%");
  const Axis sizes{.knob = "chunk-size", .unit = "bytes", .values = {65536, 131072}};
  BOOST_TEST(found(made_up_curve(sizes, {{500, 600}})).further == "chunk-size=16K..128K");
  BOOST_TEST(found(made_up_curve(sizes, {{600, 500}})).further == "chunk-size=64K..512K");
  const Axis lanes{.knob = "lanes", .values = {512, 1024}};
  BOOST_TEST(found(made_up_curve(lanes, {{600, 500}})).further.empty());
}

BOOST_AUTO_TEST_CASE(a_knob_that_makes_no_difference_is_not_to_be_swept_further) {
  const RegimeMap map = made_up_curve({600, 601, 600, 599, 598});
  BOOST_TEST(found(map).further.empty());
  BOOST_TEST(words(map) == "598 us with 16 chunks; every value is within 2%");
}

BOOST_AUTO_TEST_CASE(a_value_without_times_ends_what_is_known_to_be_flat) {
  const RegimeMap map = made_up_curve({900, 600, untimed, 595, 900});
  BOOST_TEST(found(map).best == 3u);
  BOOST_TEST((ends(found(map).within) == Ends{3, 3}));
  const RegimeMap none = made_up_curve(some_chunks, {{9, 9, 9, 9, 9}, Times(5, untimed)});
  BOOST_TEST(!none.curves[1].optimum);
  BOOST_TEST(words(none, 1) == "no times");
  BOOST_TEST(mentions(on_one_line(text(none)), {"graph_coalesced was left out of 5 values"}));
  BOOST_TEST(mentions(on_one_line(text(made_up_curve(Times(5, untimed)))),
                      {"5 values have not been run yet"}));
}

BOOST_AUTO_TEST_CASE(values_with_different_input_are_compared_by_the_byte) {
  const Axis sizes{.knob = "size", .unit = "bytes", .values = {1 << 20, 2 << 20, 4 << 20}};
  const RegimeMap map = made_up_curve(sizes, {{50, 60, 130}}, 0, sizes.values);
  BOOST_TEST((map.merit == Merit::time_per_byte));
  BOOST_TEST(found(map).best == 1u);
  BOOST_TEST(mentions(words(map), {"30.0 us per MiB at size 2 MiB"}));
  BOOST_TEST(mentions(text(map), {"32.5", "per MiB of input"}));
}

BOOST_AUTO_TEST_CASE(a_knob_that_changes_the_work_has_no_best_value) {
  const Axis depth{.knob = "depth", .values = {1, 2, 4}};
  const RegimeMap map = made_up_curve(depth, {{50, 60, 70}, {untimed, 40, untimed}});
  BOOST_TEST((map.merit == Merit::none));
  BOOST_TEST(!map.curves[0].optimum);
  BOOST_TEST(words(map) == "50.0 us at depth 1, 70.0 us at depth 4");
  BOOST_TEST(words(map, 1) == "40.0 us at depth 2");
  BOOST_TEST(map.findings.empty());
  BOOST_TEST(mentions(on_one_line(text(map)), {"depth changes the work"}));
}

BOOST_AUTO_TEST_CASE(the_best_of_each_tier_is_told_where_a_larger_change_gains) {
  const RegimeMap gain = made_up_curve(
      some_chunks, {{900, 600, 595, 600, 700}, {500, 510, 520, 530, 540}, {99, 99, 99, 99, 100}});
  BOOST_TEST(gain.findings ==
                 (std::vector<std::string>{
                     "same operations: streams with 4 chunks, 595 us",
                     "moved together: graph_coalesced with 1 chunk, 500 us, 1.19 times as fast as "
                     "streams",
                     "rewritten: fused with 1 chunk, 99.0 us, 5.1 times as fast as "
                     "graph_coalesced"}),
             boost::test_tools::per_element());
  const RegimeMap loss = made_up_curve(
      some_chunks,
      {{900, 600, 500, 600, 700}, {500, 510, 520, 530, 540}, {700, 496, 700, 800, 800}});
  BOOST_TEST(loss.findings.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_rewrite_that_wins_says_so_and_what_wins_of_the_same_operations) {
  const RegimeMap map = made_up_curve(
      some_chunks, {{900, 600, 595, 600, 700}, Times(5, untimed), {99, 99, 600, 700, 800}});
  BOOST_TEST_REQUIRE(map.borders.size() == 1u);
  BOOST_TEST(map.borders[0].words ==
             "chunks up to 2, fused (rewritten; 6.06 to 9.09 times as fast as streams; of the same "
             "operations streams); from 4 on, streams");
}

BOOST_AUTO_TEST_CASE(what_wins_of_the_same_operations_in_some_cells_only_is_called_so) {
  const RegimeMap map = made_up_curve(
      some_chunks, {{untimed, 600, 595, 600, 700}, Times(5, untimed), {99, 99, 99, 99, 99}});
  BOOST_TEST(map.borders.at(0).regimes.at(0).kept == "streams");
  BOOST_TEST(mentions(map.borders[0].words, {"of the same operations mostly streams"}));
}

BOOST_AUTO_TEST_CASE(a_rewrite_is_not_advised_where_it_only_ties) {
  RegimeMap map = made_up_curve(
      some_chunks, {{900, 600, 595, 600, 700}, Times(5, untimed), {99, 601, 596, 601, 701}});
  for (std::size_t at = 1; at < 5; ++at) map.cells[at].tied = {"fused"};
  find_regimes(map);
  BOOST_TEST_REQUIRE(map.borders.size() == 1u);
  BOOST_TEST(map.borders[0].words.ends_with("; from 2 on, streams (fused ties)"),
             map.borders[0].words);
}

BOOST_AUTO_TEST_CASE(predictions_inside_the_model_s_error_are_not_told_apart) {
  RegimeMap map =
      made_up_curve(some_chunks, {{900, 600, 595, 600, 700}, {550, 560, 560, 560, 560}});
  BOOST_TEST(map.findings.size() == 2u);
  map.context.simulated = "a profile";
  for (Cell& cell : map.cells) cell.variants[0].high = 1.25 * cell.variants[0].over_winner;
  find_regimes(map);
  BOOST_TEST(map.findings.size() == 1u);
  BOOST_TEST(mentions(on_one_line(text(map)), {"model's error"}));
}

BOOST_AUTO_TEST_CASE(the_page_marks_the_fastest_of_each_value_and_fits_the_screen) {
  RegimeMap map =
      made_up_curve(some_chunks, {{900, 600, 595, 600, 700}, {500, 510, 700, 800, 602}});
  map.cells[3].tied = {"graph_coalesced"};
  const std::string page = text(map);
  BOOST_TEST(mentions(line_of(page, "     1"), {"900", "500*"}), page);
  BOOST_TEST(mentions(line_of(page, "     4"), {"595*", "700"}), page);
  BOOST_TEST(mentions(line_of(page, "     8"), {"600*", "800="}), page);
  BOOST_TEST(mentions(page, {"streams          595 us with 4 chunks", "- Best, same operations",
                             "- Where: chunks up to 2", "5 values: 4 have a clear winner"}));
}

BOOST_AUTO_TEST_CASE(many_values_and_variants_are_thinned_out_but_no_best_value_is) {
  SweepRequest request;
  request.columns.knob = "chunks";
  for (int i = 1; i <= 32; ++i) request.columns.values.push_back(i);
  std::vector<std::string> names{"streams"};
  for (int i = 1; i < 12; ++i) names.push_back("pool:policy_" + std::to_string(i));
  RegimeMap map = empty_map(request, names, std::vector(12, Tier::same_operations));
  map.reference = "streams";
  for (Cell& cell : map.cells) {
    cell.status = Status::ok;
    cell.winner = names.back();
    cell.workload = presets().front();
    for (std::size_t i = 0; i < 12; ++i) {
      const double us = 1000 - 10.0 * static_cast<double>(i) + (cell.column == 13 ? 0 : 99);
      cell.variants.push_back(
          {.variant = names[i], .wall_us = us, .wall_low_us = us, .wall_high_us = us});
    }
  }
  find_regimes(map);
  const std::string page = text(map);
  BOOST_TEST(lines_in(page).size() <= 42u);
  BOOST_TEST(mentions(line_of(page, "    14"), {"1000", "890*"}), page);
  BOOST_TEST(mentions(on_one_line(page), {"values not shown", "No room for pool:policy_1"}), page);
  BOOST_TEST(line_of(page, "    12").empty());
}

BOOST_AUTO_TEST_CASE(the_file_of_a_curve_is_read_as_it_was_written) {
  RegimeMap map =
      made_up_curve(some_chunks, {{900, 600, 595, 600, 700}, {500, 510, 520, 530, 540}});
  const std::string file = to_json(map);
  BOOST_TEST(!contains(file, "\"rows\": {"));
  BOOST_TEST(mentions(file, {"\"merit\": \"wall time\"", "\"best\": 2", "moved together"}));
  const RegimeMap read = map_from_json(file);
  BOOST_TEST(!read.rows);
  BOOST_TEST((to_json(read) == file));
  BOOST_TEST(read.curves.size() == 2u);
}

BOOST_AUTO_TEST_SUITE_END()
