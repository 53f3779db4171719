// Bounds of chunks that were not measured, and the best number of them.
#include <boost/test/unit_test.hpp>

#include "common/analysis/limits/pipelined.hpp"
#include "common/harness/probe/probe.hpp"
#include "common/workload/workload.hpp"

using namespace trilane;

namespace {

const auto tight = boost::unit_test::tolerance(1e-9);

/// Chunks whose copies take `us` either way, alone and together, and that have no work.
SizedLimit copies_of(double bytes, double us) {
  SizedLimit sized{.chunk_bytes = bytes, .result_bytes = bytes, .limit = {}};
  for (auto time :
       {&Limit::copy_in_us, &Limit::copy_out_us, &Limit::steady_in_us, &Limit::steady_out_us}) {
    sized.limit.*time = us;
  }
  return sized;
}

SizedLimit pass_of(std::uint32_t chunks, double bytes, double us) {
  SizedLimit sized = copies_of(bytes, us);
  derive_bounds(sized.limit, chunks);
  return sized;
}

/// As many chunks as before at most: the host's buffers hold no more results.
void test_fits(const Workload& workload) {
  const Workload other = recut(workload).value();
  BOOST_TEST(other.bytes <= workload.bytes, workload.name);
  BOOST_TEST(other.result_total() <= workload.result_total(), workload.name);
  BOOST_TEST(other.chunk_bytes != workload.chunk_bytes, workload.name);
  BOOST_TEST(other.chunk_bytes % 4 == 0u, workload.name);
  BOOST_TEST(other.result_bytes <= other.chunk_bytes, workload.name);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(best_cut)

BOOST_AUTO_TEST_CASE(times_lie_on_the_line_through_the_two_that_were_measured, *tight) {
  // 10 us and 0.1 us per byte
  const SizedLimit small = copies_of(100, 20), large = copies_of(800, 90);
  for (const Limit& limit : {limit_at(small, large, 400, 4), limit_at(large, small, 400, 4)}) {
    BOOST_TEST(limit.copy_in_us == 50);
    BOOST_TEST(limit.steady_out_us == 50);
    BOOST_TEST(limit.kernels_us == 0);
    BOOST_TEST(limit.bound_us == 5 * 50);
    BOOST_TEST(limit.serial_us == 4 * 100);
  }
}

BOOST_AUTO_TEST_CASE(neither_part_of_a_time_is_below_zero, *tight) {
  // Slower when smaller: all of it is fixed.
  BOOST_TEST(limit_at(copies_of(100, 20), copies_of(800, 15), 400, 1).copy_in_us == 20);
  // More than in proportion: nothing is.
  BOOST_TEST(limit_at(copies_of(100, 20), copies_of(800, 900), 400, 1).copy_in_us == 80);
}

BOOST_AUTO_TEST_CASE(the_best_number_balances_fixed_costs_and_what_stands_alone, *tight) {
  // 1600 bytes: n chunks take (n + 1) * (10 + 160 / n) = 10 n + 170 + 160 / n, least at n = 4.
  SizedLimit own = pass_of(16, 100, 20);
  BOOST_TEST(own.limit.bound_us == 340);
  find_best_cut(own, copies_of(800, 90), 1600);
  BOOST_TEST(own.limit.best.value().chunks == 4u);
  BOOST_TEST(own.limit.best->bound_us == 250);
  BOOST_TEST(own.limit.copies_in.value().start_us == 10);
  BOOST_TEST(own.limit.copies_in->us_per_mib == 0.1 * 1048576);
  BOOST_TEST(own.limit.copies_out.value().start_us == 10);
  BOOST_TEST(own.limit.bound_us == 340);
}

BOOST_AUTO_TEST_CASE(copies_out_cost_by_the_bytes_of_results, *tight) {
  SizedLimit own = pass_of(16, 100, 20), other = copies_of(800, 90);
  own.result_bytes = 50;
  other.result_bytes = 400;
  find_best_cut(own, other, 1600);
  BOOST_TEST(own.limit.copies_out.value().start_us == 10);
  BOOST_TEST(own.limit.copies_out->us_per_mib == 0.2 * 1048576);
  other.result_bytes = 50;  // as a reduction has: how it grows does not show
  find_best_cut(own, other, 1600);
  BOOST_TEST(own.limit.copies_out->start_us == 20);
  BOOST_TEST(own.limit.copies_out->us_per_mib == 0);
}

BOOST_AUTO_TEST_CASE(the_present_number_stands_where_none_is_better) {
  SizedLimit own = pass_of(4, 400, 50);
  find_best_cut(own, copies_of(800, 90), 1600);
  BOOST_TEST(own.limit.best.value().chunks == 4u);
  BOOST_TEST(own.limit.best->bound_us == own.limit.bound_us);
}

BOOST_AUTO_TEST_CASE(of_equals_the_present_number_stands_and_then_the_fewest) {
  // 128 bytes: (n + 1) * (8 + 16 / n) is 48 for one chunk and for two, the least.
  SizedLimit four = pass_of(4, 32, 12), two = pass_of(2, 64, 16);
  find_best_cut(four, copies_of(64, 16), 128);
  BOOST_TEST(four.limit.best.value().chunks == 1u);
  BOOST_TEST(four.limit.best->bound_us == 48);
  find_best_cut(two, copies_of(32, 12), 128);
  BOOST_TEST(two.limit.best.value().chunks == 2u);
}

BOOST_AUTO_TEST_CASE(a_single_chunk_is_best_where_fixed_costs_are_all) {
  SizedLimit own = pass_of(16, 100, 20);
  find_best_cut(own, copies_of(800, 20), 1600);
  BOOST_TEST(own.limit.best.value().chunks == 1u);
  BOOST_TEST(own.limit.best->bound_us == 40);
}

BOOST_AUTO_TEST_CASE(chunks_get_no_smaller_than_a_word) {
  SizedLimit own = pass_of(2, 40, 8);  // without fixed costs more chunks are always better
  find_best_cut(own, copies_of(20, 4), 80);
  BOOST_TEST(own.limit.best.value().chunks == 20u);
}

BOOST_AUTO_TEST_CASE(what_is_probed_beside_fits_into_the_buffers) {
  for (Workload workload : presets()) {
    test_fits(workload);
    workload.bytes -= 4;  // the last chunk is shorter
    test_fits(workload);
  }
}

BOOST_AUTO_TEST_CASE(small_chunks_are_probed_larger_and_large_ones_smaller) {
  Workload workload = presets().front();  // 64 chunks of 4 KiB, 4 lanes
  BOOST_TEST(recut(workload).value().chunk_bytes == 32768u);
  BOOST_TEST(recut(workload).value().chunks() == 8u);
  workload.lanes = 8;  // which would have a chunk each, and none to go on with
  BOOST_TEST(recut(workload).value().chunk_bytes == 512u);
  BOOST_TEST(recut(workload).value().chunks() == 64u);
  workload.chunk_bytes = workload.result_bytes = 8 << 20;
  workload.bytes = 256 << 20;
  BOOST_TEST(recut(workload).value().chunk_bytes == 1u << 20);
  workload.bytes = workload.chunk_bytes = workload.result_bytes = 28;
  BOOST_TEST(!recut(workload));
}

BOOST_AUTO_TEST_SUITE_END()
