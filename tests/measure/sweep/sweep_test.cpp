// A map's file, its order of cells, its letters, and its display on a terminal.
#include "common/base/text/exit_code.hpp"
#include "common/measure/sweep/map/regimes.hpp"
#include "common/measure/sweep/sweep_file.hpp"
#include "tests/base/mentions.hpp"
#include "tests/explain/report/check_page.hpp"
#include "tests/measure/sweep/made_up_map.hpp"

BOOST_AUTO_TEST_SUITE(sweep_parts)

RegimeMap sample() {
  RegimeMap map = made_up_map({"gs - .", "s s p"});
  map.command = "chunk-size=4K..16K chunks=2,4";
  map.seed = 3;
  map.seconds_allowed = 60;
  map.seconds = 1.5;
  map.context.git_revision = "abc";
  map.context.gpu = {{"name", "GPU"}, {"driver_version", "580"}};
  map.cells[0].left_out.emplace_back("pool", "not supported: none here");
  for (Cell& cell : map.cells) {
    if (cell.status == Status::ok) cell.workload = presets().front();
  }
  find_regimes(map);
  return map;
}

/// Makes all visits of a map. `decides` says whether a visit decides its cell; it then takes a
/// tenth of its time, otherwise all.
template <typename Decides>
std::vector<Visit> visits(RegimeMap& map, Decides decides) {
  std::vector<Visit> all;
  while (const auto visit = next_visit(map)) {
    Cell& cell = map.cells[visit->position];
    cell.status = Status::ok;
    const bool decided = decides(*visit);
    cell.measuring_seconds = (decided ? 0.1 : 1) * visit->seconds;
    cell.seconds = cell.measuring_seconds + 0.1;
    ++cell.visits;
    cell.stopped = decided ? "decided" : "time";
    map.seconds += cell.seconds;
    all.push_back(*visit);
  }
  return all;
}

BOOST_AUTO_TEST_CASE(a_file_is_read_as_it_was_written) {
  const std::string text = to_json(sample());
  BOOST_TEST((to_json(map_from_json(text)) == text));
  BOOST_TEST(map_from_json(text).cells.size() == 6u);
}

BOOST_AUTO_TEST_CASE(a_file_that_is_no_map_is_refused_with_the_place) {
  struct Damage {
    std::string from, to, words;
  };
  const std::string whole = to_json(sample());
  for (const auto& [from, to, words] : {
           Damage{whole.substr(200), "", "not JSON"},
           Damage{"trilane-sweep", "other", ".schema is"},
           Damage{R"("schema_version": 3)", R"("schema_version": 2)", ".schema_version is 2"},
           Damage{R"("knob": "chunks")", R"("knob": "x")", R"(.rows.knob is "x")"},
           Damage{R"("winner": "streams")", R"("winner": "x")",
                  ".winner has x, which is not a variant"},
           Damage{R"("row": 1)", R"("row": 9)", "row 9"},
           Damage{R"("reason")", R"("season")", ".cells[0].reason is missing"},
           Damage{R"("winner")", R"("more": 1, "winner")", ".cells[0].more is not known"},
           Damage{R"("over_winner": 1)", R"("over_winner": 1e400)",
                  ".over_winner is too large for a number"},
           Damage{R"("chunks": )", R"("chunks": 1)", "workload.chunks is "},
           Damage{R"("visits": 1)", R"("visits": 2)",
                  ".variants has 1 processes of streams, and there were 2 visits"},
       }) {
    std::string text = whole;
    text.replace(text.find(from), from.size(), to);
    BOOST_TEST(contains(refusal<std::invalid_argument>([&] { map_from_json(text); }), words));
  }
  RegimeMap endless = sample();
  endless.cells[0].seconds = std::numeric_limits<double>::infinity();
  BOOST_TEST(contains(refusal<std::invalid_argument>([&] { to_json(endless); }),
                      ".cells[0].seconds is inf"));
}

BOOST_AUTO_TEST_CASE(a_map_goes_on_only_as_it_was_begun) {
  const RegimeMap begun = sample();
  RegimeMap other = begun;
  other.seconds_allowed = 600;
  other.processes = 10;
  BOOST_CHECK_NO_THROW(ensure_same(begun, other, "m"));
  const auto refused = [&](auto change) {
    RegimeMap changed = begun;
    change(changed);
    return refusal<UsageError>([&] { ensure_same(begun, changed, "m.json"); });
  };
  const std::string way_out = "start over with --force";
  for (const std::string& line : {
           refused([](RegimeMap& map) { map.command += " --seed 2"; }),
           refused([](RegimeMap& map) { map.variants.pop_back(); }),
           refused([](RegimeMap& map) { map.context.git_revision = "def"; }),
           refused([](RegimeMap& map) { map.context.simulated = "a profile"; }),
           refused([](RegimeMap& map) { map.columns.values.back() *= 2; }),
           refused([](RegimeMap& map) { map.rows->values.pop_back(); }),
           refused([](RegimeMap& map) { map.rows.reset(); }),
           refused([](RegimeMap& map) { map.reference = "graph"; }),
           refused([](RegimeMap& map) { map.mode = Mode::throughput; }),
           refused([](RegimeMap& map) { map.seed = 4; }),
           refused([](RegimeMap& map) { map.workload = "launch"; }),
           refused([](RegimeMap& map) { map.context.gpu[0].second = "another"; }),
       }) {
    BOOST_TEST(contains(line, "--json 'm.json': the sweep in it was started with "), line);
    BOOST_TEST(contains(line, way_out), line);
  }
  BOOST_TEST(contains(refused([](RegimeMap& map) { map.context.gpu[1].second = "581"; }),
                      "the GPU's driver_version '580', not '581'"));
}

BOOST_AUTO_TEST_CASE(every_cell_is_visited_once_in_an_order_drawn_from_the_seed) {
  const auto order = [](std::uint64_t seed) {
    RegimeMap map = made_up_map({". . . .", ". . . .", ". - . ."});
    map.seed = seed;
    map.seconds_allowed = 60;
    std::vector<std::size_t> positions;
    for (const Visit& visit : visits(map, [](const Visit&) { return true; })) {
      positions.push_back(visit.position);
    }
    return positions;
  };
  const std::vector<std::size_t> once = order(1);
  BOOST_TEST(once.size() == 11u);
  BOOST_TEST(std::set(once.begin(), once.end()).size() == 11u);
  BOOST_TEST((once == order(1)));
  BOOST_TEST((once != order(2)));
  BOOST_TEST(!std::ranges::is_sorted(once));
}

BOOST_AUTO_TEST_CASE(every_cell_is_visited_once_before_any_is_visited_again) {
  RegimeMap map = made_up_map({". . . .", ". - . ."});
  map.seconds_allowed = 60;
  map.processes = 3;
  const auto all = visits(map, [](const Visit&) { return true; });
  BOOST_TEST_REQUIRE(all.size() == 21u);
  for (std::size_t first = 0; first < all.size(); first += 7) {
    std::set<std::size_t> cells;
    for (std::size_t i = first; i < first + 7; ++i) cells.insert(all[i].position);
    BOOST_TEST(cells.size() == 7u);
  }
}

BOOST_AUTO_TEST_CASE(a_map_goes_on_with_the_visits_that_its_cells_lack) {
  RegimeMap map = made_up_map({"g - .", "s s p"});
  map.seconds_allowed = 60;
  map.processes = 2;
  map.cells[1].visits = 2;
  map.cells[0].status = Status::failed;
  const auto all = visits(map, [](const Visit&) { return true; });
  std::vector<std::size_t> positions;
  for (const Visit& visit : all) positions.push_back(visit.position);
  BOOST_TEST_REQUIRE(positions.size() == 4u);
  BOOST_TEST(positions.front() == 5u);  // not run yet
  std::ranges::sort(positions);
  BOOST_TEST((positions == std::vector<std::size_t>{2, 3, 5, 5}));
}

BOOST_AUTO_TEST_CASE(time_that_was_saved_goes_to_open_cells_and_is_not_exceeded) {
  RegimeMap map = made_up_map({". . . .", ". . . ."});
  map.seconds_allowed = 40;
  map.processes = 5;
  const double share = map.seconds_allowed / 8 / 5;
  std::vector<double> open;
  for (const Visit& visit : visits(map, [&](const Visit& to) { return to.position != 2; })) {
    if (visit.position == 2) open.push_back(visit.seconds);
    const bool last = map.cells[visit.position].visits == map.processes;
    BOOST_TEST((visit.seconds <= share || visit.position == 2 || last));
  }
  BOOST_TEST_REQUIRE(open.size() == 5u);
  BOOST_TEST(open.front() <= share);
  for (std::size_t i = 1; i < open.size(); ++i) BOOST_TEST(open[i] > share);
  BOOST_TEST(map.seconds <= map.seconds_allowed + 0.1);
}

BOOST_AUTO_TEST_CASE(cells_get_a_little_time_even_when_it_is_up) {
  RegimeMap map = made_up_map({". .", ". ."});
  map.seconds_allowed = 0.1;
  const auto all = visits(map, [](const Visit&) { return false; });
  BOOST_TEST(all.size() == 4u);
  for (const Visit& visit : all) BOOST_TEST(visit.seconds > 0);
}

BOOST_AUTO_TEST_CASE(letters_tell_the_variants_apart) {
  const std::vector<std::string> names{"streams",       "engines",     "graph", "graph_coalesced",
                                       "graph_kernels", "graph_fused", "fused", "pool",
                                       "pool_trim",     "serial"};
  const auto letters = letters_for(names);
  BOOST_TEST(letters.size() == names.size());
  BOOST_TEST(std::set(letters.begin(), letters.end()).size() == names.size());
  BOOST_TEST(letters[0] == "S");
  BOOST_TEST(letters[3] == "C");
  BOOST_TEST(letters[4] == "K");
  BOOST_TEST(letters[6] == "U");
}

BOOST_AUTO_TEST_CASE(the_text_shows_each_cell_in_its_place) {
  const std::string text = as_text(sweep_page(sample()));
  BOOST_TEST(contains(text,
                      "chunks\n"
                      "     4       g     -     .\n"
                      "     2       S     S     P\n"
                      "            4K    8K   16K\n"
                      "                chunk size\n"),
             text);
  BOOST_TEST(
      mentions(on_one_line(text), {"same operations: S streams, G graph, P pool.", "small letter",
                                   "ties", "-: cannot run", ".: not run yet"}));
}

BOOST_AUTO_TEST_CASE(as_markdown_the_cells_keep_their_places) {
  const std::string text = as_markdown(sweep_page(sample()));
  BOOST_TEST(mentions(text, {"### Which variant wins where", "\n```\nchunks\n     4       g",
                             "chunk size\n```\n", "\n- chunk size up to 8 KiB, streams;",
                             "too large. pool"}),
             text);
}

BOOST_AUTO_TEST_CASE(no_line_of_the_text_is_wider_than_the_page) {
  std::string row = "g";
  for (int i = 0; i < 31; ++i) row += " g";
  check_page(sweep_page(made_up_map({row, row})));
}

BOOST_AUTO_TEST_SUITE_END()
