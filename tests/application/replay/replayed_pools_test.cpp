// Stream-ordered memory in a replay, on a fake driver: the pools that it comes from.
#include <array>

#include "common/application/replay/measure_replay.hpp"
#include "tests/application/replay/replayed.hpp"

using namespace trilane;
using namespace trilane::fake;
using boost::test_tools::per_element;

BOOST_AUTO_TEST_SUITE(replayed_pools)

namespace {

/// Allocates from a pool in each iteration, in stream order.
struct Pooled : Program {
  explicit Pooled(std::uint64_t threshold) : own(pool(threshold)) {}

  const CUmemoryPool own;
  const std::uint64_t out = pinned(bytes), kept = device(bytes);
  const CUstream one = stream(), two = stream();
  const CUevent done = event();
  Kernel& sum = kernel(3, add_numbers);

  Taken take_one() {
    return take([this](std::uint32_t) {
      const std::uint64_t scratch = allocate(bytes, own, one);
      memset(scratch, 2, 4, bytes, one);
      launch(sum, {kept, scratch, 5}, one);
      free(scratch, one);
      record(done, one);
      wait(two, done);
      copy(out, kept, bytes, two);
      synchronize(two);
    });
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(stream_ordered_memory_comes_from_the_applications_own_pool) {
  Pooled program(0);
  const Taken taken = program.take_one();
  const Pool& own = *pool_of(program.own);
  const std::uint64_t before = own.allocations;
  run_right(ReplayWay::calls, taken);
  BOOST_TEST(own.allocations == before + 3);
  BOOST_TEST(own.used == 0u);
  BOOST_TEST(state().current->allocations == 0u);
}

BOOST_AUTO_TEST_CASE(a_pool_that_gives_memory_back_is_replaced_by_one_that_keeps_it) {
  Pooled program(bytes);
  Pool& own = *pool_of(program.own);
  own.reuse[1] = 0;
  const Taken taken = program.take_one();
  BOOST_TEST(why_not(ReplayWay::pool, taken.iteration) == "");
  const Expected expected = expected_now(taken);
  const std::uint64_t before = own.allocations;
  const auto candidate = make_candidate(ReplayWay::pool, taken.iteration);
  BOOST_REQUIRE(state().pools.size() == 2u);
  const auto other = [&](const auto& entry) { return entry.first != program.own; };
  const Pool& kept = *std::ranges::find_if(state().pools, other)->second;
  BOOST_TEST(kept.threshold == UINT64_MAX);
  BOOST_TEST(kept.reuse == (std::array{1, 0, 1}), per_element());
  const Ran ran = run(ReplayWay::pool, taken, expected);
  BOOST_TEST(ran.wrong == "");
  BOOST_TEST(as_planned(ReplayWay::pool, taken, ran));
  BOOST_TEST(own.allocations == before);
}

BOOST_AUTO_TEST_CASE(what_replaces_a_free_keeps_the_order_of_the_stream) {
  Program program;
  const std::uint64_t out = program.pinned(bytes);
  const CUstream one = program.stream();
  const Taken taken = program.take([&](std::uint32_t) {
    const std::uint64_t scratch = program.allocate(bytes);
    program.memset(scratch, 2, 4, bytes, one);
    program.copy(out, scratch, bytes, one);
    program.free(scratch);
    program.synchronize();
  });
  BOOST_TEST(run(ReplayWay::pool, taken).wrong == "");
}

BOOST_AUTO_TEST_CASE(a_pool_that_keeps_its_memory_stays) {
  Pooled keeping(UINT64_MAX);
  BOOST_TEST(why_not(ReplayWay::pool, keeping.take_one().iteration) ==
             "its pool already keeps its memory");
}

BOOST_AUTO_TEST_CASE(the_devices_current_pool_is_asked_too) {
  for (const std::uint64_t threshold : {std::uint64_t{0}, UINT64_MAX}) {
    Program program;
    state().current->threshold = threshold;
    const std::uint64_t out = program.pinned(bytes);
    const CUstream one = program.stream();
    const Taken taken = program.take([&](std::uint32_t) {
      const std::uint64_t scratch = program.allocate(bytes, nullptr, one);
      program.memset(scratch, 2, 4, bytes, one);
      program.copy(out, scratch, bytes, one);
      program.free(scratch, one);
      program.synchronize(one);
    });
    BOOST_TEST(why_not(ReplayWay::pool, taken.iteration) ==
               (threshold == 0 ? "" : "its pool already keeps its memory"));
    if (threshold == 0) BOOST_TEST(run(ReplayWay::pool, taken).wrong == "");
  }
}

BOOST_AUTO_TEST_CASE(the_applications_pool_has_no_more_of_the_device_than_before) {
  Program program;
  const CUmemoryPool own = program.pool(UINT64_MAX);
  const std::uint64_t out = program.pinned(bytes);
  const CUstream one = program.stream();
  const Taken taken = program.take([&](std::uint32_t) {
    const std::uint64_t stays = program.allocate(bytes, own, one);
    program.memset(stays, 2, 4, bytes, one);
    program.copy(out, stays, bytes, one);
    program.synchronize(one);
  });
  const Pool& pool = *pool_of(own);
  const std::uint64_t used = pool.used, reserved = pool.reserved;
  const Live before = live();
  const ReplayRecord record =
      measure_replay(taken.iteration, taken.before, {.seconds = 0.05, .precision = 0.5}, [] {});
  BOOST_TEST(record.refusal == "");
  BOOST_TEST((live() == before));
  BOOST_TEST(pool.most_reserved > reserved);
  BOOST_TEST(pool.reserved == reserved);
  BOOST_TEST(pool.used == used);
}

BOOST_AUTO_TEST_SUITE_END()
