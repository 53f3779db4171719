// Batches of copies, on a fake driver.
#include "tests/application/replay/replayed.hpp"

using boost::test_tools::per_element;

BOOST_AUTO_TEST_SUITE(replayed_batches)

constexpr std::size_t half = bytes / 2;

void add_both(const Kernel::Words& words) {
  for (std::size_t i = 0; i < numbers; ++i) {
    numbers_at(words[0])[i] = numbers_at(words[1])[i] + numbers_at(words[2])[i] + words[3];
  }
}

/// Batches in, within the device, and out; some of them from and to pageable memory.
struct Batched : Program {
  const std::uint64_t in = pinned(bytes), in_too = pageable(bytes), out = pinned(bytes),
                      out_too = pageable(bytes);
  const std::uint64_t a = device(bytes), b = device(bytes), c = device(bytes), d = device(bytes);
  const CUstream one = stream();
  Kernel& sum = kernel(4, add_both);

  Taken take_one() {
    return take([this](std::uint32_t turn) {
      numbers_at(in)[0] = turn;
      numbers_at(in_too)[0] = 100 * turn;
      copy_batch({{a, in, bytes}, {b, in_too, half}, {b + half, in, half}}, one);
      copy_batch({{c, a, bytes}, {d, b, bytes}}, one);
      launch(sum, {c, c, d, 7}, one);
      copy_batch({{out, c, bytes}, {out_too, d, bytes}}, one);
      synchronize(one);
    });
  }
  std::set<std::uint64_t> copied_out() const { return {*numbers_at(out), *numbers_at(out_too)}; }
};

/// Tests a batch of one program's copies by that way.
void test_once(ReplayWay way, std::vector<ObservedBatch::Copy> (*copies)(Program& program)) {
  Program program;
  const CUstream one = program.stream();
  const auto batch = copies(program);
  const Taken taken = program.take([&](std::uint32_t) {
    program.copy_batch(batch, one);
    program.synchronize(one);
  });
  run_right(way, taken);
}

BOOST_AUTO_TEST_CASE(every_way_leaves_the_bytes_of_the_iteration) {
  for (const ReplayWay way : {ReplayWay::calls, ReplayWay::graph, ReplayWay::pinned}) {
    BOOST_TEST_INFO_SCOPE(name_of(way));
    Batched program;
    const Taken taken = program.take_one();
    BOOST_TEST(why_not(way, taken.iteration) == "");
    const std::set<std::uint64_t> expected = program.copied_out();
    numbers_at(program.in)[0] = numbers_at(program.in_too)[0] = 1'000'000;
    const Ran ran = run_right(way, taken);
    BOOST_TEST(first_numbers(ran) == expected, per_element());
  }
}

BOOST_AUTO_TEST_CASE(the_same_calls_make_it_by_one_call_with_its_attributes) {
  Batched program;
  const Taken taken = program.take_one();
  const auto same = make_candidate(ReplayWay::calls, taken.iteration);
  const std::uint64_t before = calls_of("cuMemcpyBatchAsync");
  state().batch_flags.clear();
  issue(*same);
  BOOST_TEST(calls_of("cuMemcpyBatchAsync") == before + 3);
  BOOST_TEST(calls_of("cuMemcpyAsync") == 0u);
  const std::vector<unsigned> flags{0, CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE};
  BOOST_TEST(state().batch_flags == flags, per_element());
}

BOOST_AUTO_TEST_CASE(a_graph_has_a_node_for_each_copy_behind_what_the_batch_follows) {
  Batched program;
  const Taken taken = program.take_one();
  const Ran ran = run(ReplayWay::graph, taken);
  // 3 and 2 copies, a kernel, 2 copies: 3 * 2 edges, then 2, then 2.
  BOOST_TEST(has(ran, Count{"graphs", 1}));
  BOOST_TEST(has(ran, Count{"nodes", 8}));
  BOOST_TEST(has(ran, Count{"edges", 10}));
}

BOOST_AUTO_TEST_CASE(pinned_memory_takes_the_place_of_pageable_memory) {
  Batched program;
  const Taken taken = program.take_one();
  const std::size_t before = live().pinned;
  const auto same = make_candidate(ReplayWay::calls, taken.iteration);
  BOOST_TEST(live().pinned == before + 3);
  const auto pinned = make_candidate(ReplayWay::pinned, taken.iteration);
  BOOST_TEST(live().pinned == before + 3 + 5);
}

BOOST_AUTO_TEST_CASE(where_one_copy_alternates_all_of_the_batch_are_set) {
  Program program;
  const std::uint64_t halves[2] = {program.device(bytes), program.device(bytes)};
  const std::uint64_t fixed = program.device(bytes), in = program.pinned(bytes),
                      out = program.pinned(bytes);
  const CUstream one = program.stream();
  const Taken taken = program.take([&](std::uint32_t turn) {
    numbers_at(in)[0] = turn;
    program.copy_batch({{fixed, in, bytes}, {halves[turn % 2], in, bytes}}, one);
    program.copy(out, fixed, bytes, one);
    program.synchronize(one);
  });
  BOOST_TEST((taken.iteration.recording.calls.at(0).pointers == Variation::alternates));
  const Ran ran = run_right(ReplayWay::graph_set, taken);
  BOOST_TEST(has(ran, Count{"nodes set", 2}));
}

BOOST_AUTO_TEST_CASE(a_batch_both_ways_counts_each_byte_once) {
  Program program;
  const std::uint64_t in = program.pinned(bytes), out = program.pinned(bytes),
                      a = program.device(bytes), b = program.device(bytes);
  const CUstream one = program.stream();
  const Taken taken = program.take([&](std::uint32_t) {
    program.copy_batch({{a, in, bytes}, {out, b, half}}, one);
    program.synchronize(one);
  });
  const Workload workload = workload_of(taken.iteration.recording);
  BOOST_TEST(workload.recorded->in_bytes == bytes);
  BOOST_TEST(workload.recorded->out_bytes == half);
  BOOST_TEST(workload.recorded->copies == 1u);
}

BOOST_AUTO_TEST_CASE(one_copy_is_a_batch_too) {
  const auto copies = [](Program& program) {
    const std::uint64_t from = program.pinned(bytes), to = program.device(bytes);
    numbers_at(from)[0] = 5;
    return std::vector<ObservedBatch::Copy>{{to, from, bytes}};
  };
  test_once(ReplayWay::calls, copies);
  test_once(ReplayWay::graph, copies);
}

BOOST_AUTO_TEST_CASE(copies_move_with_the_memory_that_the_iteration_allocates) {
  for (const ReplayWay way : {ReplayWay::calls, ReplayWay::pool, ReplayWay::graph_set}) {
    BOOST_TEST_INFO_SCOPE(name_of(way));
    Program program;
    const std::uint64_t in = program.pinned(bytes), out = program.pinned(bytes),
                        kept = program.device(bytes);
    const CUstream one = program.stream();
    numbers_at(in)[0] = 3;
    const Taken taken = program.take([&](std::uint32_t) {
      const std::uint64_t scratch = program.allocate(2 * bytes);
      program.copy_batch({{kept, in, bytes}, {scratch + bytes, in, bytes}}, one);
      program.copy_batch({{kept, scratch + bytes, 8}, {out, scratch + bytes, bytes}}, one);
      program.free(scratch);
      program.synchronize(one);
    });
    const Ran ran = run_right(way, taken);
    BOOST_TEST(first_numbers(ran) == std::set<std::uint64_t>{3}, per_element());
  }
}

BOOST_AUTO_TEST_CASE(a_driver_without_batches_is_refused_by_name) {
  Batched program;
  const Taken taken = program.take_one();
  state().is_older = true;
  for (const ReplayWay way : {ReplayWay::calls, ReplayWay::graph}) {
    BOOST_TEST(refusal<NotPossible>([&] { make_candidate(way, taken.iteration); }) ==
               "cuMemcpyBatchAsync: the driver has no cuMemcpyBatchAsync that a replay calls");
  }
}

BOOST_AUTO_TEST_CASE(a_batch_whose_host_memory_was_not_taken_is_refused) {
  Batched program;
  Taken taken = program.take_one();
  taken.iteration.captured.at(0).sources.pop_back();
  BOOST_CHECK_THROW(make_candidate(ReplayWay::calls, taken.iteration), NotPossible);
}

BOOST_AUTO_TEST_SUITE_END()
