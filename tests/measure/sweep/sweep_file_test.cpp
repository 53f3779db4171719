// Maps in files: one sweep at a time, and contradictions are refused with their place.
#include "common/measure/sweep/sweep_file.hpp"

#include "common/base/text/exit_code.hpp"
#include "tests/base/folder.hpp"
#include "tests/base/refusal.hpp"
#include "tests/measure/sweep/made_up_map.hpp"

namespace fs = std::filesystem;

namespace {

struct MapFolder : Folder {
  std::string map = *this / "map.json";

  /// Writes as an OutputFile does: a new file that replaces the old one.
  void write() const {
    put("new", "content");
    fs::rename(*this / "new", map);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(sweep_file, MapFolder)

std::string not_begun(const std::string& path) {
  return refusal<UsageError>([&] { const FileLock lock(path); });
}

std::string not_written(const FileLock& lock) {
  return refusal<OutputError>([&] { lock.check(); });
}

SweepRequest request() {
  return {.columns = {.knob = "chunk-size", .unit = "bytes", .values = {4096, 8192, 16384}},
          .rows = Axis{.knob = "chunks", .values = {2, 4}},
          .base = presets().front(),
          .knobs = {},
          .command = "chunk-size=4K..16K chunks=2,4"};
}

/// Returns two rows of three cells, the last of which cannot run.
RegimeMap sound() {
  RegimeMap map = made_up_map({"gs g -", "s s p"});
  map.columns = request().columns;
  for (Cell& cell : map.cells) {
    if (cell.status == Status::ok)
      cell.workload = point_at(request(), cell.column, cell.row).workload;
  }
  return map;
}

template <typename Change>
std::string refused(Change change) {
  RegimeMap map = sound();
  change(map);
  const std::string text = to_json(map);
  return refusal<std::invalid_argument>([&] { map_from_json(text); });
}

template <typename Change>
std::string refused_cell(Change change) {
  return refused([&](RegimeMap& map) { change(map.cells[3]); });
}

template <typename Change>
std::string misplaced(Change change) {
  RegimeMap map = sound();
  change(map.cells[3]);
  return refusal<UsageError>([&] { ensure_cells_fit(map, request(), "m.json"); });
}

BOOST_AUTO_TEST_CASE(a_write_that_failed_leaves_the_lock_where_it_was) {
  write();
  FileLock lock(map);
  lock.follow();
  BOOST_TEST(contains(not_begun(map), "another sweep is writing it"));
  lock.check();
}

BOOST_AUTO_TEST_CASE(a_second_sweep_is_refused_while_the_first_one_lives) {
  write();
  {
    FileLock first(map);
    BOOST_TEST(contains(not_begun(map), "another sweep is writing it; wait until it ends"));
    fs::create_symlink("map.json", *this / "link");
    BOOST_TEST(contains(not_begun(*this / "link"), "another sweep is writing it"));
    first.check();
    write();
    first.follow();
    BOOST_TEST(contains(not_begun(map), "another sweep is writing it"));
    first.check();
  }
  BOOST_TEST(not_begun(map) == "(not refused)");
  fs::remove(*this / "link");
  BOOST_TEST(names().size() == 1u);
}

BOOST_AUTO_TEST_CASE(of_two_sweeps_without_a_file_the_first_to_write_keeps_it) {
  FileLock first(map), second(map);
  first.check();
  write();
  first.follow();
  BOOST_TEST(contains(not_written(second), "another program has since written to it"));
  first.check();
}

BOOST_AUTO_TEST_CASE(a_file_that_another_program_replaced_stays) {
  write();
  FileLock lock(map);
  write();
  BOOST_TEST(contains(not_written(lock), "leaves it unchanged"));
}

BOOST_AUTO_TEST_CASE(a_sweep_that_took_over_in_between_keeps_the_file) {
  FileLock first(map);
  write();
  const FileLock second(map);
  BOOST_TEST(
      contains(refusal<OutputError>([&] { first.follow(); }), "another sweep has continued it"));
}

BOOST_AUTO_TEST_CASE(a_file_that_was_removed_is_written_again) {
  write();
  FileLock lock(map);
  fs::remove(map);
  BOOST_CHECK_NO_THROW(lock.check());
}

BOOST_AUTO_TEST_CASE(without_a_file_there_is_no_lock) {
  for (const char* none : {"", "-"}) {
    FileLock first(none), second(none);
    BOOST_CHECK_NO_THROW(first.check());
    BOOST_CHECK_NO_THROW(second.follow());
  }
}

BOOST_AUTO_TEST_CASE(an_axis_has_the_unit_of_its_knob) {
  BOOST_TEST(contains(refused([](RegimeMap& map) { map.columns.unit = "us"; }),
                      ".columns.unit is \"us\", and that of chunk-size is \"bytes\""));
}

BOOST_AUTO_TEST_CASE(a_sound_map_is_read) {
  BOOST_TEST(refused([](RegimeMap&) {}) == "(not refused)");
}

BOOST_AUTO_TEST_CASE(axes_are_those_that_an_option_can_ask_for) {
  BOOST_TEST(refused([](RegimeMap& map) { map.columns.values.clear(); }) ==
             ".columns.values has 0 entries and may have 1 to 32");
  const auto refused_rows = [](const std::vector<double>& values) {
    return refused([&](RegimeMap& map) { map.rows->values = values; });
  };
  std::vector<double> many(20'000);
  std::iota(many.begin(), many.end(), 1);
  BOOST_TEST(refused_rows(many) == ".rows.values has 20000 entries and may have 1 to 32");
  BOOST_TEST(refused_rows({4, 2}) == ".rows.values do not ascend");
  BOOST_TEST(refused_rows({2, 2.5}) == ".rows.values has 2.5, which the knob chunks cannot be");
  BOOST_TEST(refused_rows({2, 2e6}) == ".rows.values has 2000000, which the knob chunks cannot be");
  BOOST_TEST(refused([](RegimeMap& map) {
               map.rows->knob = "chunk-size";
               map.rows->unit = "bytes";
             }) == ".rows.knob is that of the columns");
}

BOOST_AUTO_TEST_CASE(variants_are_there_once_with_the_reference_among_them) {
  BOOST_TEST(refused([](RegimeMap& map) { map.variants[1] = "streams"; }) ==
             ".variants is empty or has a variant twice");
  BOOST_TEST(refused([](RegimeMap& map) { map.reference = "none"; }) ==
             ".reference is none, which is not a variant");
  BOOST_TEST(refused([](RegimeMap& map) { map.tiers.pop_back(); }) ==
             ".tiers are not as many as the variants");
}

BOOST_AUTO_TEST_CASE(a_variant_has_a_letter_that_fills_a_cell) {
  for (const char* letter : {"custom", "c", "", "\u00c4"}) {
    BOOST_TEST(refused([&](RegimeMap& map) { map.letters[0] = letter; }) ==
               ".letters are not one capital letter or * each");
  }
}

BOOST_AUTO_TEST_CASE(each_cell_has_a_place_of_its_own) {
  BOOST_TEST(refused_cell([](Cell& cell) { cell.row = 9; }) ==
             ".cells[3] has column 0, row 9, which the map does not have");
  BOOST_TEST(refused_cell([](Cell& cell) { cell.row = 0; }) == ".cells[3] is there twice");
}

BOOST_AUTO_TEST_CASE(a_measured_cell_fits_itself) {
  BOOST_TEST(refused_cell([](Cell& cell) { cell.visits = 0; }) ==
             ".cells[3].visits is 0, but the cell was measured");
  BOOST_TEST(refused_cell([](Cell& cell) { cell.workload.depth = 0; }) ==
             ".cells[3].workload has depth 0");
  BOOST_TEST(refused_cell([](Cell& cell) { cell.winner = "pool"; }) ==
             ".cells[3].winner is pool, which is not the fastest in .variants");
  BOOST_TEST(refused_cell([](Cell& cell) { cell.variants.clear(); }) ==
             ".cells[3].winner is graph, which is not the fastest in .variants");
  BOOST_TEST(refused_cell([](Cell& cell) { cell.tied = {"none"}; }) ==
             ".cells[3].tied has none, which is not a variant of the sweep");
  BOOST_TEST(refused_cell([](Cell& cell) { cell.runner_up = "none"; }) ==
             ".cells[3].runner_up has none, which is not a variant of the sweep");
  BOOST_TEST(refused_cell([](Cell& cell) { cell.winners.resize(1); }) ==
             ".cells[3].winners has , which is not a variant of the sweep");
  BOOST_TEST(contains(refused_cell([](Cell& cell) { cell.variants[1].low = -1; }),
                      ".cells[3].variants.graph.low is -1 and must be from 0 to "));
  BOOST_TEST(refused_cell([](Cell& cell) { cell.variants[1].low = 3; }) ==
             ".cells[3].variants.graph has a low end above its high end");
  BOOST_TEST(refused_cell([](Cell& cell) { cell.variants[1].wall_low_us = 300; }) ==
             ".cells[3].variants.graph has wall_low_us above wall_high_us");
  BOOST_TEST(contains(refused_cell([](Cell& cell) { cell.seconds = -1; }),
                      ".cells[3].seconds is -1 and must be"));
}

BOOST_AUTO_TEST_CASE(a_cell_has_the_workload_that_its_place_asks_for) {
  BOOST_TEST(misplaced([](Cell&) {}) == "(not refused)");
  const std::string message =
      "--json 'm.json': already exists, and is damaged or not a sweep: the workload in column 0, "
      "row 1 is not the one of that cell; give another name, or start over with --force";
  BOOST_TEST(misplaced([](Cell& cell) { cell.workload.lanes = 3; }) == message);
  BOOST_TEST(misplaced([](Cell& cell) { cell.workload.bytes *= 2; }) == message);
  BOOST_TEST(misplaced([](Cell& cell) { cell.workload.rounds = 3; }) == message);
  BOOST_TEST(misplaced([](Cell& cell) { cell.requested_kernel_us = 3; }) == message);
}

BOOST_AUTO_TEST_CASE(a_damaged_file_is_called_damaged_with_the_place) {
  const auto begun = [&](const std::string& text) {
    put("map.json", text);
    return refusal<UsageError>([&] { begun_map(map); });
  };
  const std::string text = to_json(sound());
  BOOST_TEST(begun(text) == "(not refused)");
  BOOST_TEST(begun_map(map).has_value());
  BOOST_TEST(
      contains(begun(text.substr(0, 500)), "is damaged or not a sweep: byte 500 is not JSON"));
  BOOST_TEST(contains(begun("hello"), "is damaged or not a sweep: byte 0 is not JSON"));
  BOOST_TEST(
      contains(begun("{\"schema\": \"trilane-results\"}"),
               R"(not a sweep: .schema is "trilane-results", not "trilane-sweep"; give another)"));
  BOOST_TEST(!begun_map(path).has_value());
  BOOST_TEST(!begun_map(*this / "none").has_value());
}

BOOST_AUTO_TEST_SUITE_END()
