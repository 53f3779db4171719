// Bounds of chunks that were not measured, and the best number of them.
#include "common/explain/analysis/verdict/pipelined.hpp"
#include "common/measure/harness/probe.hpp"
#include "tests/framework.hpp"

BOOST_AUTO_TEST_SUITE(best_cut)

const auto tight = boost::unit_test::tolerance(1e-9);

/// Returns chunks whose copies take `us` in either direction, alone and together, and that have no
/// work.
OtherCut copies_of(double bytes, double us) {
  return {bytes,
          bytes,
          {.copy_in_us = us,
           .copy_out_us = us,
           .one_way_in_us = us,
           .one_way_out_us = us,
           .steady_in_us = us,
           .steady_out_us = us}};
}

Limit limit_of(const OtherCut& cut, double bytes) {
  Limit limit;
  set_times(limit, cut.times);
  derive_bounds(limit, bytes / cut.chunk_bytes);
  return limit;
}

/// Returns the limit of `bytes` in such chunks, compared with others.
Limit found(const OtherCut& own, const OtherCut& other, double bytes) {
  Limit limit = limit_of(own, bytes);
  find_best_cut(limit, own, other, bytes);
  return limit;
}

/// At most as many chunks as before: the host's buffers hold no more results.
void test_fits(const Workload& workload) {
  const Workload other = recut(workload).value();
  BOOST_TEST(other.bytes <= workload.bytes, workload.name);
  BOOST_TEST(other.result_total() <= workload.result_total(), workload.name);
  BOOST_TEST(other.chunk_bytes != workload.chunk_bytes, workload.name);
  BOOST_TEST(other.chunk_bytes % 4 == 0u, workload.name);
  BOOST_TEST(other.result_bytes <= other.chunk_bytes, workload.name);
}

BOOST_AUTO_TEST_CASE(times_lie_on_the_line_through_the_two_that_were_measured, *tight) {
  // 10 us and 0.1 us per byte
  const OtherCut small = copies_of(100, 20), large = copies_of(800, 90);
  for (const ChunkTimes& times : {times_at(small, large, 400), times_at(large, small, 400)}) {
    BOOST_TEST(times.copy_in_us == 50);
    BOOST_TEST(times.steady_out_us == 50);
    BOOST_TEST(times.kernels_us == 0);
  }
}

BOOST_AUTO_TEST_CASE(neither_part_of_a_time_is_below_zero, *tight) {
  // Slower when smaller: all of it is fixed.
  BOOST_TEST(times_at(copies_of(100, 20), copies_of(800, 15), 400).copy_in_us == 20);
  // More than in proportion: no part is fixed.
  BOOST_TEST(times_at(copies_of(100, 20), copies_of(800, 900), 400).copy_in_us == 80);
}

BOOST_AUTO_TEST_CASE(the_best_number_balances_fixed_costs_and_what_stands_alone, *tight) {
  // 1600 bytes: n chunks take (n + 1) * (10 + 160 / n) = 10 n + 170 + 160 / n, least at n = 4.
  const OtherCut own = copies_of(100, 20);
  const Limit limit = found(own, copies_of(800, 90), 1600);
  BOOST_TEST(limit.bound_us == 340);
  BOOST_TEST(limit.best.value().chunks == 4u);
  BOOST_TEST(limit.best->bound_us == 250);
  BOOST_TEST(limit.copies_in.value().start_us == 10);
  BOOST_TEST(limit.copies_in->us_per_mib == 0.1 * 1048576);
  BOOST_TEST(limit.copies_out.value().start_us == 10);
  BOOST_TEST(limit.other.value().times.copy_in_us == 90);
}

BOOST_AUTO_TEST_CASE(copies_out_cost_by_the_bytes_of_results, *tight) {
  OtherCut own = copies_of(100, 20), other = copies_of(800, 90);
  own.result_bytes = 50;
  other.result_bytes = 400;
  Limit limit = found(own, other, 1600);
  BOOST_TEST(limit.copies_out.value().start_us == 10);
  BOOST_TEST(limit.copies_out->us_per_mib == 0.2 * 1048576);
  other.result_bytes = 50;  // as a reduction has: how it grows does not show
  limit = found(own, other, 1600);
  BOOST_TEST(limit.copies_out->start_us == 20);
  BOOST_TEST(limit.copies_out->us_per_mib == 0);
}

BOOST_AUTO_TEST_CASE(the_present_number_stands_where_none_is_better) {
  const Limit limit = found(copies_of(400, 50), copies_of(800, 90), 1600);
  BOOST_TEST(limit.best.value().chunks == 4u);
  BOOST_TEST(limit.best->bound_us == limit.bound_us);
}

BOOST_AUTO_TEST_CASE(no_size_beyond_those_that_were_measured_is_advised) {
  // Without fixed costs more chunks are always better, with only fixed costs fewer.
  BOOST_TEST(found(copies_of(40, 8), copies_of(20, 4), 80).best.value().chunks == 4u);
  BOOST_TEST(found(copies_of(100, 20), copies_of(800, 20), 1600).best.value().chunks == 2u);
}

BOOST_AUTO_TEST_CASE(what_is_probed_beside_fits_into_the_buffers) {
  for (Workload workload : presets()) {
    test_fits(workload);
    workload.bytes -= 4;  // the last chunk is shorter
    test_fits(workload);
  }
  Workload reduction = presets().front();
  reduction.bytes = 5764;  // the last chunk has 248 bytes of results
  reduction.chunk_bytes = 5516;
  reduction.result_bytes = 276;
  test_fits(reduction);
}

BOOST_AUTO_TEST_CASE(small_chunks_are_probed_larger_and_large_ones_smaller) {
  Workload workload = presets().front();  // 64 chunks of 4 KiB, 4 lanes
  BOOST_TEST(recut(workload).value().chunk_bytes == 32768u);
  BOOST_TEST(recut(workload).value().chunks() == 8u);
  workload.lanes = 8;  // which would each have one chunk, and none to continue with
  BOOST_TEST(recut(workload).value().chunk_bytes == 512u);
  BOOST_TEST(recut(workload).value().chunks() == 64u);
  workload.chunk_bytes = workload.result_bytes = 8 << 20;
  workload.bytes = 256 << 20;
  BOOST_TEST(recut(workload).value().chunk_bytes == 1u << 20);
  workload.bytes = workload.chunk_bytes = workload.result_bytes = 28;
  BOOST_TEST(!recut(workload));
}

BOOST_AUTO_TEST_SUITE_END()
