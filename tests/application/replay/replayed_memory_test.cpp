// The memory that a replay keeps, and the pools that stream-ordered memory comes from, on a fake
// driver.
#include "common/application/replay/replayed_memory.hpp"

#include "common/application/replay/measure_replay.hpp"
#include "common/application/replay/replayed_call.hpp"
#include "tests/application/replay/replayed.hpp"

using boost::test_tools::per_element;

BOOST_AUTO_TEST_SUITE(memory_of_a_replay)

constexpr std::uint64_t mebibyte = 1 << 20;

/// A launch whose only argument is an address.
struct Launch {
  explicit Launch(std::uint64_t argument) : address(argument) {
    ObservedCall call{.kind = CallKind::kernel};
    call.launch.arguments = std::as_bytes(std::span(&address, 1));
    iteration.calls.push_back(call);
  }
  std::uint64_t address;
  ObservedIteration iteration;

  /// Makes the iteration allocate a mebibyte first.
  void allocates(std::uint64_t memory) {
    iteration.calls.insert(iteration.calls.begin(),
                           {.kind = CallKind::allocate, .destination = memory, .bytes = mebibyte});
  }
};

BOOST_AUTO_TEST_CASE(all_device_memory_and_the_pinned_memory_that_kernels_reach_are_kept) {
  fake::Program program;
  const std::uint64_t device = program.device(mebibyte), reached = program.pinned(mebibyte),
                      other = program.pinned(mebibyte);
  const std::vector<MemoryFacts> live{{MemoryKind::device, device, mebibyte},
                                      {MemoryKind::pinned, reached, mebibyte},
                                      {MemoryKind::pinned, other, mebibyte}};
  const Launch launch(reached + mebibyte - 1);
  std::set<std::uint64_t> kept;
  for (const MemoryFacts& memory : replayed_memory(live, {}, launch.iteration, 2 * mebibyte)) {
    kept.insert(memory.base);
  }
  BOOST_TEST((kept == std::set{device, reached}));
}

BOOST_AUTO_TEST_CASE(memory_that_only_an_argument_names_is_kept_and_the_iteration_s_own_is_not) {
  fake::Program program;
  const std::uint64_t device = program.device(mebibyte);
  Launch launch(device + 8);
  const auto kept = replayed_memory({}, {}, launch.iteration, mebibyte);
  BOOST_REQUIRE(kept.size() == 1u);
  BOOST_TEST(kept[0].base == device);
  BOOST_TEST(kept[0].bytes == mebibyte);
  launch.allocates(device);
  BOOST_TEST(replayed_memory({}, {}, launch.iteration, mebibyte).empty());
}

BOOST_AUTO_TEST_CASE(an_address_right_behind_the_iteration_s_own_memory_is_where_a_range_ends) {
  fake::Program program;
  const std::uint64_t end = program.device(mebibyte);
  Launch launch(end);
  launch.allocates(end - mebibyte);
  BOOST_TEST(replayed_memory({}, {}, launch.iteration, mebibyte).empty());
  BOOST_CHECK_NO_THROW(require_kept(launch.iteration, {}));
}

BOOST_AUTO_TEST_CASE(more_memory_than_a_snapshot_may_be_is_refused_with_both_sizes) {
  fake::Program program;
  const std::uint64_t device = program.device(2 * mebibyte);
  const std::vector<MemoryFacts> live{{MemoryKind::device, device, 2 * mebibyte}};
  BOOST_TEST(refusal<NotPossible>([&] { replayed_memory(live, {}, {}, mebibyte); }) ==
             "its memory is 2 MiB, and a snapshot may be 1 MiB; see --snapshot");
}

BOOST_AUTO_TEST_CASE(memory_that_was_released_unseen_is_refused) {
  fake::Program program;
  const std::uint64_t device = program.device(mebibyte);
  program.free(device);
  BOOST_CHECK_THROW(replayed_memory({{MemoryKind::device, device, mebibyte}}, {}, {}, mebibyte),
                    NotPossible);
}

BOOST_AUTO_TEST_CASE(memory_that_a_kernel_reaches_only_now_is_refused) {
  fake::Program program;
  const std::uint64_t kept = program.device(mebibyte), own = program.device(mebibyte);
  const std::vector<MemoryFacts> all{{MemoryKind::device, kept, mebibyte}};
  BOOST_CHECK_NO_THROW(require_kept(Launch(kept + mebibyte - 1).iteration, all));
  BOOST_CHECK_NO_THROW(require_kept(Launch(kept + mebibyte).iteration, all));   // an end
  BOOST_CHECK_NO_THROW(require_kept(Launch(0x7ff0'0000'0000).iteration, all));  // no memory
  BOOST_CHECK_NO_THROW(require_kept(Launch(8).iteration, all));
  for (const std::uint64_t address : {program.device(mebibyte), program.pinned(mebibyte)}) {
    BOOST_CHECK_THROW(require_kept(Launch(address + 8).iteration, all), NotPossible);
  }
  Launch launch(own + 8);
  BOOST_CHECK_THROW(require_kept(launch.iteration, all), NotPossible);
  launch.allocates(own);
  BOOST_CHECK_NO_THROW(require_kept(launch.iteration, all));
}

BOOST_AUTO_TEST_CASE(more_copied_memory_than_a_snapshot_may_be_is_refused) {
  ApplicationRecording recording;
  recording.memory = {{MemoryKind::pinned, mebibyte, false}, {MemoryKind::device, mebibyte, false}};
  RecordedCall copy;
  copy.kind = CallKind::copy;
  copy.bytes = mebibyte;
  copy.uses = {{0, 0, mebibyte, Use::reads}, {1, 0, mebibyte, Use::writes}};
  recording.calls = {copy, copy};
  BOOST_CHECK_NO_THROW(require_small_copies(recording, 2 * mebibyte));
  recording.graphs.push_back({{operation_from<RecordedNode>(copy)}});
  recording.calls.emplace_back().kind = CallKind::graph_launch;
  recording.calls.back().graph = 0;
  BOOST_TEST(refusal<NotPossible>([&] { require_small_copies(recording, 2 * mebibyte); }) ==
             "it copies 3 MiB to and from the host, and a snapshot may be 2 MiB; see --snapshot");
}

BOOST_AUTO_TEST_CASE(where_an_allocation_of_the_iteration_ends_moves_with_it) {
  ReplayedAllocations own({{MemoryKind::device, 0x3000, 0x1000}});
  own.add(0x1000, 0x1000);
  own.add(0x2000, 0x1000);
  const auto where = [&](std::uint64_t address) {
    const auto found = own.find(address);
    return found ? std::pair<int, int>(static_cast<int>(found->allocation),
                                       static_cast<int>(found->offset))
                 : std::pair(-1, -1);
  };
  BOOST_TEST((where(0x1fff) == std::pair(0, 0xfff)));
  BOOST_TEST((where(0x2000) == std::pair(1, 0)));    // the next one begins there
  BOOST_TEST((where(0x3000) == std::pair(-1, -1)));  // and other memory there
  own.remove(0x2000);
  BOOST_TEST((where(0x2000) == std::pair(0, 0x1000)));
  const std::uint64_t words[] = {1, 0x1800}, none[] = {1, 0x3000};
  BOOST_TEST(own.any_in(std::as_bytes(std::span(words))));
  BOOST_TEST(!own.any_in(std::as_bytes(std::span(words).first(1))));
  BOOST_TEST(!own.any_in(std::as_bytes(std::span(none))));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(replayed_pools)

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
