// The outcome of a cell in which something is thrown, and of the sweep.
#include "common/measure/sweep/conclude.hpp"

#include <new>

#include "common/measure/gpu/runtime/check.hpp"
#include "tests/base/mentions.hpp"
#include "tests/measure/sweep/made_up_map.hpp"

BOOST_AUTO_TEST_SUITE(outcome_of_cells)

/// Returns the outcome of a cell that throws this: "failed: gave up".
template <typename Error>
std::string after(const Error& error) {
  Cell cell;
  BOOST_TEST(!attempt(cell, [&] { throw error; }));
  return name_of(cell.status) + (": " + cell.reason);
}

BOOST_AUTO_TEST_CASE(whatever_a_cell_throws_is_its_own_end) {
  BOOST_TEST(after(NotPossible("too large")) == "not supported: too large");
  BOOST_TEST(after(UsageError("--size 4: contradicts")) == "not supported: --size 4: contradicts");
  BOOST_TEST(mentions(after(std::bad_alloc()), {"out of memory", "the host ran", "smaller"}));
  BOOST_TEST(after(std::runtime_error("gave up")) == "failed: gave up");
  const auto place = std::source_location::current();
  BOOST_TEST(after(OutOfMemory("cudaErrorMemoryAllocation")).starts_with("out of memory: cuda"));
  BOOST_TEST(after(CudaError(cudaErrorIllegalAddress, place))
                 .starts_with("failed: cudaErrorIllegalAddress (700)"));
}

BOOST_AUTO_TEST_CASE(a_cell_that_throws_nothing_is_as_the_action_leaves_it) {
  Cell cell;
  BOOST_TEST(attempt(cell, [&] { cell.status = Status::ok; }));
  BOOST_TEST((cell.status == Status::ok));
  BOOST_TEST(cell.reason.empty());
}

BOOST_AUTO_TEST_CASE(the_failure_of_a_cell_is_told_by_the_variant_at_fault) {
  Cell cell;
  cell.reason = "streams not run: the error of graph";
  BOOST_TEST(failure_in(cell) == cell.reason);
  cell.left_out = {{"streams", "not run: the error of graph"}, {"graph", "failed: gave up"}};
  BOOST_TEST(failure_in(cell) == "graph failed: gave up");
}

BOOST_AUTO_TEST_CASE(a_lost_gpu_names_the_cell_what_is_left_and_how_to_go_on) {
  RegimeMap map = made_up_map({"g . .", "s s p"});
  Cell& cell = map.cells[map.position(1, 0)];
  attempt(cell, [] { throw std::runtime_error("gave up"); });
  BOOST_TEST(
      mentions(loss_text(map, cell, true), {"chunk size 8 KiB, chunks 2: gave up", "GPU unusable",
                                            "2 of 6 cells", "not run", "same command"}));
  BOOST_TEST(!mentions(loss_text(map, cell, true), {"--json"}));
  BOOST_TEST(mentions(loss_text(map, cell, false),
                      {"GPU unusable", "2 of 6 cells", "not run", "--json", "same command"}));
  for (Cell& other : map.cells) other.status = Status::ok;
  BOOST_TEST(!mentions(loss_text(map, cell, true), {"not run"}));
}

BOOST_AUTO_TEST_CASE(a_sweep_is_right_where_a_cell_has_a_winner_and_nothing_failed) {
  RegimeMap map = made_up_map({"g - .", "s s p"});
  BOOST_TEST(exit_code_of(map) == exit_ok);
  map.cells[0].left_out = {{"pool", "not supported: none here"}};
  BOOST_TEST(exit_code_of(map) == exit_ok);
  map.cells[0].left_out = {{"pool", "out of memory: cudaErrorMemoryAllocation"}};
  BOOST_TEST(exit_code_of(map) == exit_not_possible);
  map.cells[0].left_out = {{"pool", "failed: wrong data"}};
  BOOST_TEST(exit_code_of(map) == exit_wrong);
  BOOST_TEST(exit_code_of(made_up_map({"- -", ". -"})) == exit_not_possible);
  map = made_up_map({"g g", "s s"});
  map.cells[2].status = Status::out_of_memory;
  BOOST_TEST(exit_code_of(map) == exit_not_possible);
  map.cells[3].status = Status::failed;
  BOOST_TEST(exit_code_of(map) == exit_wrong);
}

BOOST_AUTO_TEST_SUITE_END()
