// The table of settings side by side.
#include "common/explain/report/report.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <sstream>

#include "tests/base/mentions.hpp"
#include "tests/base/refusal.hpp"
#include "tests/explain/report/check_page.hpp"
#include "tests/model/made_up.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(report_settings)

namespace {

std::string markdown(const std::vector<Comparison>& comparisons, const std::string& simulated) {
  check_page(settings_page(comparisons, simulated));
  return as_markdown(settings_page(comparisons, simulated));
}

/// Returns a measurement whose means in processes 0, 1, ... are `walls`, with half of that to
/// submit.
Measurement in_processes(const std::string& variant, const std::vector<double>& walls,
                         std::uint32_t first_process = 0) {
  Measurement m;
  m.variant = variant;
  m.status = Status::ok;
  for (std::uint32_t i = 0; i < walls.size(); ++i) {
    for (const double noise : {0.9, 1.0, 1.1}) {
      const double wall = walls[i] * noise;
      m.samples.push_back({wall / 2, wall, wall, 0, 0, first_process + i});
    }
  }
  return m;
}

Comparison under(HostMemory memory, Wait wait, std::vector<Measurement> measurements) {
  Comparison comparison = made_up_comparison(std::move(measurements), "");
  comparison.workload.host_memory = memory;
  comparison.wait = wait;
  return comparison;
}

/// Returns one variant under pinned and spin, and under pageable and block.
std::vector<Comparison> two(const Measurement& first, const Measurement& second) {
  return {under(HostMemory::pinned, Wait::spin, {first}),
          under(HostMemory::pageable, Wait::block, {second})};
}

using Cells = std::vector<std::string>;

/// Returns the cells of the tables' rows, without heads and rules.
std::vector<Cells> rows_of(const std::string& text) {
  std::vector<Cells> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| ") || line.starts_with("| variant") || line.starts_with("| :"))
      continue;
    Cells cells;
    std::istringstream stream(line.substr(1));
    for (std::string cell; std::getline(stream, cell, '|');) {
      const std::size_t start = cell.find_first_not_of(' ');
      cells.push_back(cell.substr(start, cell.find_last_not_of(' ') - start + 1));
    }
    rows.push_back(cells);
  }
  return rows;
}

void check_rows(const std::vector<Comparison>& comparisons, const std::vector<Cells>& expected) {
  const auto rows = rows_of(markdown(comparisons, ""));
  BOOST_REQUIRE_EQUAL(rows.size(), expected.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    BOOST_TEST(rows[i] == expected[i], boost::test_tools::per_element());
  }
}

/// Returns the last cell of the second row.
std::string speed(const Measurement& first, const Measurement& second) {
  return rows_of(markdown(two(first, second), "")).at(1).at(5);
}

/// Returns the terminal's view of a table with the widest cells except the variant's name.
std::string on_a_terminal(const std::string& variant) {
  const double off = std::exp(0.001);
  auto comparisons =
      two(in_processes(variant, {1390 * off, 1390 / off}), in_processes(variant, {2780, 2780}));
  for (Comparison& comparison : comparisons) comparison.limit = Limit{.serial_us = 278};
  check_page(settings_page(comparisons, "H200"));
  return as_text(settings_page(comparisons, "H200"));
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_setting_has_nothing_beside_it) {
  BOOST_TEST(as_markdown(settings_page({}, "")).empty());
  std::vector<Comparison> comparisons(
      2, under(HostMemory::pageable, Wait::block, {in_processes("graph", {100})}));
  comparisons[1].workload = presets()[1];
  BOOST_TEST(markdown(comparisons, "").empty());
}

BOOST_AUTO_TEST_CASE(every_variant_stands_under_every_setting) {
  const std::vector<Comparison> comparisons{
      under(HostMemory::pinned, Wait::spin,
            {in_processes("streams", {200}), in_processes("graph", {100})}),
      under(HostMemory::pageable, Wait::spin,
            {in_processes("streams", {400}), in_processes("graph", {50})})};
  check_rows(comparisons, {{"streams", "pinned", "100", "200", "-", "reference"},
                           {"streams", "pageable", "200", "400", "-", "0.500, one process"},
                           {"graph", "pinned", "50.0", "100", "-", "reference"},
                           {"graph", "pageable", "25.0", "50.0", "-", "2.000, one process"}});
  BOOST_TEST(contains(markdown(comparisons, ""), "| vs pinned "));
}

BOOST_AUTO_TEST_CASE(the_settings_of_one_workload_are_a_table) {
  auto comparisons = two(in_processes("graph", {200}), in_processes("graph", {100}));
  for (Comparison other : two(in_processes("graph", {30}), in_processes("graph", {10}))) {
    other.workload = {.name = presets()[1].name, .bytes = 8, .chunk_bytes = 4};
    other.workload.host_memory = comparisons[comparisons.size() - 2].workload.host_memory;
    comparisons.push_back(other);
  }
  Comparison larger = comparisons.front();
  larger.workload.bytes *= 2;
  comparisons.push_back(larger);
  const std::string text = markdown(comparisons, "");
  BOOST_TEST(rows_of(text).size() == 4u);
  const std::size_t first = text.find(presets()[0].name + ", across processes");
  const std::size_t second = text.find(presets()[1].name + ", across processes");
  BOOST_TEST(first < second);
  BOOST_TEST(second < text.size());
}

BOOST_AUTO_TEST_CASE(other_work_under_the_same_name_is_not_held_against_it) {
  const auto same = two(in_processes("graph", {200}), in_processes("graph", {100}));
  BOOST_TEST(rows_of(markdown(same, "")).size() == 2u);
  for (const auto knob : {&Workload::rounds, &Workload::depth, &Workload::lanes}) {
    auto comparisons = same;
    comparisons[1].workload.*knob += 1;
    BOOST_TEST(markdown(comparisons, "").empty());
  }
}

BOOST_AUTO_TEST_CASE(cells_of_what_did_not_run_are_empty) {
  const auto none = made_up("graph", Status::not_supported, "kernels cannot read that memory");
  const auto ok = in_processes("graph", {100});
  check_rows(two(ok, none), {{"graph", "pinned, spin", "50.0", "100", "-", "reference"},
                             {"graph", "pageable, block", "-", "-", "-", "not supported"}});
  check_rows(two(none, ok), {{"graph", "pinned, spin", "-", "-", "-", "not supported"},
                             {"graph", "pageable, block", "50.0", "100", "-", "-"}});
  check_rows(two(ok, made_up("graph", Status::failed, "wrong data")),
             {{"graph", "pinned, spin", "50.0", "100", "-", "reference"},
              {"graph", "pageable, block", "-", "-", "-", "failed"}});
}

BOOST_AUTO_TEST_CASE(a_variant_that_is_missing_under_a_setting_has_no_row_there) {
  check_rows(two(in_processes("graph", {100}), in_processes("pool", {100})),
             {{"graph", "pinned, spin", "50.0", "100", "-", "reference"}});
}

BOOST_AUTO_TEST_CASE(overlap_is_the_stages_in_turn_over_the_wall_time) {
  auto fused = in_processes("fused", {100});
  fused.plan.maps_host = true;
  std::vector<Comparison> comparisons{
      under(HostMemory::pinned, Wait::spin, {in_processes("graph", {200}), fused}),
      under(HostMemory::pageable, Wait::spin, {in_processes("graph", {400}), fused})};
  comparisons[0].limit = Limit{.serial_us = 300};
  comparisons[1].limit = Limit{.serial_us = 500};
  check_rows(comparisons, {{"graph", "pinned", "100", "200", "1.50", "reference"},
                           {"graph", "pageable", "200", "400", "1.25", "0.500, one process"},
                           {"fused", "pinned", "50.0", "100", "-", "reference"},
                           {"fused", "pageable", "50.0", "100", "-", "1.000, one process"}});
}

BOOST_AUTO_TEST_CASE(processes_are_independent) {
  // A standard error of 0.01, and the same for another run. Student's t of one degree of freedom is
  // 12.706, and 4.3027 of the two that both sides have together.
  const auto first = in_processes("graph", {202, 198});
  BOOST_TEST(speed(first, in_processes("graph", {100, 100})) == "2.000 [1.671, 2.394]");
  BOOST_TEST(speed(first, in_processes("graph", {400, 400})) == "0.500 [0.418, 0.598]");
  BOOST_TEST(speed(first, in_processes("graph", {202, 198})) == "tie [0.918, 1.090]");
}

BOOST_AUTO_TEST_CASE(what_ran_in_one_process_has_no_interval) {
  const auto first = in_processes("graph", {300, 200});
  BOOST_TEST(speed(first, in_processes("graph", {100}, 1)) == "2.500, one process");
  BOOST_TEST(speed(in_processes("graph", {100}), first) == "0.400, one process");
}

BOOST_AUTO_TEST_CASE(columns_go_until_the_table_fits_a_terminal) {
  BOOST_TEST(mentions(on_a_terminal("graph"), {"graph    pageable, block", "1390", "2780", "0.10",
                                               "0.500 [0.491, 0.509]"}));
  const std::string longer = on_a_terminal("pool:pools=lane,internal=on,events=off,a=1");
  BOOST_TEST((!contains(longer, " submit ") && contains(longer, " overlap ")), longer);
  const std::string longest = on_a_terminal("pool:pools=lane,internal=on,events=off,threshold=4K");
  BOOST_TEST((contains(longest, " wall ") && !contains(longest, " overlap ")), longest);
}

BOOST_AUTO_TEST_CASE(simulated_times_say_so) {
  const auto comparisons = two(in_processes("graph", {200}), in_processes("graph", {100}));
  BOOST_TEST(mentions(markdown(comparisons, "H200"), {"in us, simulated"}));
  BOOST_TEST(!mentions(markdown(comparisons, ""), {"simulated"}));
}

BOOST_AUTO_TEST_SUITE_END()
