// Every way to run an iteration leaves its bytes and does what its plan says, on a fake driver.
#include "tests/application/diagnosis/recorded.hpp"
#include "tests/application/replay/replayed.hpp"

using boost::test_tools::per_element;

BOOST_AUTO_TEST_SUITE(replay_candidates)

/// Two streams, each of which needs the other's results, and four host waits.
struct Steady : Program {
  const std::uint64_t in = pinned(bytes), out = pinned(bytes), log = pageable(bytes);
  const std::uint64_t a = device(bytes), b = device(bytes), c = device(bytes);
  const CUstream one = stream(), two = stream();
  const CUevent copied = event(), added = event();
  Kernel& sum = kernel(3, add_numbers);

  void iterate(std::uint32_t turn) {
    numbers_at(in)[0] = turn;  // or memory would hold the right bytes before it is written
    copy(a, in, bytes, one);
    record(copied, one);
    wait(two, copied);
    launch(sum, {b, a, 1}, two);
    record(added, two);
    wait(one, added);
    launch(sum, {a, b, 10}, one);
    copy(out, a, bytes, one);
    synchronize(one);
    memset(c, 0, 4, bytes, two);
    launch(sum, {c, b, 100}, two);
    synchronize(two);
    copy_and_wait(log, c, bytes);
    synchronize();
  }
  Taken take_one() {
    return take([this](std::uint32_t turn) { iterate(turn); });
  }
  /// Returns the first numbers that it copied to the host.
  std::set<std::uint64_t> copied_out() const { return {*numbers_at(out), *numbers_at(log)}; }
};

/// Reads and writes one of two alternating buffers, also in copies and memsets.
struct Alternating : Program {
  const std::uint64_t halves[2] = {device(bytes), device(bytes)}, out = pinned(bytes);
  const CUstream one = stream();
  Kernel& sum = kernel(3, add_numbers);

  Taken take_one() {
    return take([this](std::uint32_t turn) {
      const std::uint64_t from = halves[turn % 2], to = halves[1 - turn % 2];
      memset(from, 3, 1, bytes, one);
      launch(sum, {to, from, 1}, one);
      copy(out, to, bytes, one);
      synchronize(one);
    });
  }
};

/// Allocates what it needs in each iteration.
struct Allocating : Program {
  const std::uint64_t out = pinned(bytes), kept = device(bytes);
  const CUstream one = stream();
  Kernel& sum = kernel(3, add_numbers);

  Taken take_one() {
    return take([this](std::uint32_t) {
      const std::uint64_t scratch = allocate(bytes);
      memset(scratch, 2, 4, bytes, one);
      launch(sum, {kept, scratch, 5}, one);
      free(scratch);
      copy(out, kept, bytes, one);
      synchronize(one);
    });
  }
};

BOOST_AUTO_TEST_CASE(every_way_leaves_the_bytes_of_the_iteration) {
  for (const ReplayWay way : {ReplayWay::calls, ReplayWay::graph, ReplayWay::pinned}) {
    BOOST_TEST_INFO_SCOPE(name_of(way));
    Steady program;
    const Taken taken = program.take_one();
    BOOST_TEST(why_not(way, taken.iteration) == "");
    const Ran ran = run_right(way, taken);
    BOOST_TEST(first_numbers(ran) == program.copied_out(), per_element());
  }
}

BOOST_AUTO_TEST_CASE(the_host_memory_is_the_replays_own) {
  Steady program;
  const Taken taken = program.take_one();
  const std::set<std::uint64_t> expected = program.copied_out();
  numbers_at(program.in)[0] = 1000;
  numbers_at(program.out)[0] = 2000;
  const Ran ran = run(ReplayWay::calls, taken);
  BOOST_TEST(first_numbers(ran) == expected, per_element());
  BOOST_TEST(numbers_at(program.out)[0] == 2000u);
}

BOOST_AUTO_TEST_CASE(pinned_memory_takes_the_place_of_pageable_memory) {
  Steady program;
  const Taken taken = program.take_one();
  const std::size_t before = live().pinned;
  const auto same = make_candidate(ReplayWay::calls, taken.iteration);
  BOOST_TEST(live().pinned == before + 2);
  const auto pinned = make_candidate(ReplayWay::pinned, taken.iteration);
  BOOST_TEST(live().pinned == before + 5);
}

BOOST_AUTO_TEST_CASE(a_single_wait_leaves_the_bytes_where_the_streams_keep_the_order) {
  Program program;
  const std::uint64_t a = program.device(bytes), out = program.pinned(bytes);
  const CUstream one = program.stream();
  Kernel& sum = program.kernel(3, add_numbers);
  const Taken taken = program.take([&](std::uint32_t) {
    program.memset(a, 1, 4, bytes, one);
    program.synchronize(one);
    program.launch(sum, {a, a, 1}, one);
    program.copy(out, a, bytes, one);
    program.synchronize(one);
  });
  run_right(ReplayWay::fewer_waits, taken);
}

BOOST_AUTO_TEST_CASE(a_single_wait_is_found_wrong_where_only_the_waits_keep_the_order) {
  Steady program;
  const Taken taken = program.take_one();
  const Ran ran = run(ReplayWay::fewer_waits, taken);
  BOOST_TEST(ran.wrong.starts_with("wrong data: "));
}

BOOST_AUTO_TEST_CASE(waits_stay_where_another_stream_would_find_new_memory_empty) {
  using R = Recorded;
  for (const bool fresh : {false, true}) {
    for (const std::uint32_t stream : {R::free_one, R::free_two}) {
      Recorded app;
      app.recording.memory[R::device].within = fresh;
      if (fresh) {
        app.add(CallKind::allocate_async, "cuMemAllocAsync", R::free_one).uses = {
            {R::device, 0, 1 << 20, Use::may_use}};
      }
      app.memset(R::free_one, R::device);
      app.synchronize(R::free_one);
      app.copy(stream, R::device, R::pinned);
      app.synchronize(stream);
      const std::string why_none =
          fresh && stream == R::free_two
              ? "operations of several streams would use memory before its data is ready"
              : "";
      TakenIteration taken;
      taken.recording = app.recording;
      BOOST_TEST(why_not(ReplayWay::fewer_waits, taken) == why_none);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_copied_address_of_memory_that_the_iteration_allocates_is_refused) {
  Program program;
  const std::uint64_t table = program.device(bytes), list = program.pinned(bytes);
  const CUstream one = program.stream();
  const Taken taken = program.take([&](std::uint32_t) {
    const std::uint64_t fresh = program.allocate(bytes);
    numbers_at(list)[3] = fresh + 16;
    program.memset(fresh, 1, 4, bytes, one);
    program.copy(table, list, bytes, one);
    program.synchronize(one);
    program.free(fresh);
  });
  const std::string why =
      refusal<NotPossible>([&] { make_candidate(ReplayWay::calls, taken.iteration); });
  BOOST_TEST(why.find("it copies an address") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_graph_that_lacks_an_edge_is_found_wrong_by_its_memory) {
  Program program;
  const std::uint64_t a = program.device(bytes), b = program.device(bytes);
  const CUstream one = program.stream(CU_STREAM_DEFAULT);
  Kernel& sum = program.kernel(3, add_numbers);
  Taken taken = program.take([&](std::uint32_t) {
    program.memset(a, 1, 4, bytes, one);
    program.launch(sum, {b, a, 1}, nullptr);  // after `one`, because the legacy stream is
    program.memset(a, 2, 4, bytes, one);
    program.synchronize();
  });
  BOOST_TEST(run(ReplayWay::graph, taken).wrong == "");
  for (RecordedStream& stream : taken.iteration.recording.streams) {
    stream.kind = StreamKind::non_blocking;
  }
  BOOST_TEST(run(ReplayWay::calls, taken).wrong == "");
  BOOST_TEST(
      run(ReplayWay::graph, taken).wrong ==
      fmt::format("wrong data: 512 bytes of {} differ, the first at byte 0", name_of(b, taken)));
}

BOOST_AUTO_TEST_CASE(what_alternates_is_set_in_the_graph) {
  Alternating program;
  const Taken taken = program.take_one();
  BOOST_TEST(why_not(ReplayWay::graph, taken.iteration) ==
             "arguments or pointers vary from iteration to iteration; see graph_set");
  BOOST_TEST(why_not(ReplayWay::graph_set, taken.iteration) == "");
  const Ran ran = run_right(ReplayWay::graph_set, taken);
  BOOST_TEST(calls_of("cuGraphExecKernelNodeSetParams") > 0u);
  BOOST_TEST(calls_of("cuGraphExecMemcpyNodeSetParams") > 0u);
  BOOST_TEST(calls_of("cuGraphExecMemsetNodeSetParams") > 0u);
  BOOST_TEST(has(ran, Count{"nodes set", 3}));
}

BOOST_AUTO_TEST_CASE(what_the_iteration_that_was_taken_changes_is_set_in_the_graph) {
  Program program;
  const std::uint64_t first = program.device(bytes), later = program.device(bytes),
                      to = program.device(bytes);
  const CUstream one = program.stream();
  Kernel& sum = program.kernel(3, add_numbers);
  std::uint32_t turns = 0;
  const Taken taken = program.take([&](std::uint32_t turn) {
    turns = turn;
    program.launch(sum, {to, turn < 11 ? first : later, 1}, one);
    program.synchronize(one);
  });
  BOOST_REQUIRE(turns == 11u);  // ten before it were recorded, all of them with the first pointer
  const std::vector<Variation> wanted{Variation::constant, Variation::changes, Variation::constant};
  BOOST_TEST((taken.iteration.recording.calls.at(0).arguments == wanted));
  BOOST_TEST(!why_not(ReplayWay::graph, taken.iteration).empty());
  const Ran ran = run(ReplayWay::graph_set, taken);
  BOOST_TEST(ran.wrong == "");
  BOOST_TEST(has(ran, Count{"nodes set", 1}));
}

BOOST_AUTO_TEST_CASE(nothing_is_set_where_nothing_varies) {
  Steady program;
  const Taken taken = program.take_one();
  BOOST_TEST(why_not(ReplayWay::graph_set, taken.iteration) ==
             "nothing varies from iteration to iteration; see graph");
  const Ran ran = run(ReplayWay::graph, taken);
  BOOST_TEST(has(ran, Count{"nodes set", 0}));
  BOOST_TEST(calls_of("cuGraphExecKernelNodeSetParams") == 0u);
}

BOOST_AUTO_TEST_CASE(allocations_are_made_anew_or_from_a_pool) {
  for (const ReplayWay way : {ReplayWay::calls, ReplayWay::pool, ReplayWay::graph_set}) {
    BOOST_TEST_INFO_SCOPE(name_of(way));
    Allocating program;
    const Taken taken = program.take_one();
    BOOST_TEST(why_not(way, taken.iteration) == "");
    run_right(way, taken);
    BOOST_TEST((plan_of(way, taken.iteration).model.scratch == ScratchSource::pass) ==
               (way == ReplayWay::graph_set));
    BOOST_TEST((calls_of("cuMemAllocFromPoolAsync") > 0) == (way == ReplayWay::pool));
    BOOST_TEST(calls_of("cuMemAllocFromPoolAsync") == calls_of("cuMemFreeAsync"));
    BOOST_TEST(calls_of("cuMemPoolCreate") == calls_of("cuMemPoolDestroy"));
  }
}

constexpr std::pair<ReplayWay, std::uint32_t> several[] = {
    {ReplayWay::graph_of_2, 2}, {ReplayWay::graph_of_4, 4}, {ReplayWay::graph_of_8, 8}};

/// Counts on in two streams, which only the host's wait keeps in order between iterations.
struct Counting : Program {
  const std::uint64_t a = device(bytes), b = device(bytes), out = pinned(bytes), in = pinned(bytes);
  const CUstream one = stream(), two = stream();
  Kernel& sum = kernel(3, add_numbers);

  Counting() { std::memset(numbers_at(a), 0, bytes), std::memset(numbers_at(b), 0, bytes); }
  /// Takes an iteration that waits once.
  Taken take_one() {
    const CUevent done = event();
    return take([this, done](std::uint32_t) {
      launch(sum, {b, a, 1}, one);
      record(done, one);
      wait(two, done);
      launch(sum, {a, b, 10}, two);
      synchronize();
    });
  }
};

BOOST_AUTO_TEST_CASE(a_graph_of_several_iterations_leaves_the_bytes_of_as_many) {
  for (const auto& [way, iterations] : several) {
    BOOST_TEST_INFO_SCOPE(name_of(way));
    Counting program;
    const Taken taken = program.take_one();
    BOOST_TEST(why_not(way, taken.iteration) == "");
    const std::uint64_t before = *numbers_at(program.a) - 11;
    const Ran ran = run_right(way, taken);
    BOOST_TEST(*numbers_at(program.a) == before + 11 * iterations);
    BOOST_TEST(has(ran, Count{"nodes", 2 * iterations}));
    BOOST_TEST(has(ran, Count{"edges", 2 * iterations - 1}));
    const Plan plan = plan_of(way, taken.iteration);
    BOOST_TEST(plan.iterations.value() == iterations);
    BOOST_TEST(!is_bound(plan.model));
  }
}

BOOST_AUTO_TEST_CASE(results_that_the_host_sees_less_often_make_such_a_graph_a_bound) {
  Counting program;
  const Taken taken = program.take([&](std::uint32_t) {
    program.launch(program.sum, {program.a, program.a, 1}, program.one);
    program.copy(program.out, program.a, bytes, program.one);
    program.synchronize(program.one);
  });
  const std::uint64_t before = *numbers_at(program.a) - 1;
  const Ran ran = run_right(ReplayWay::graph_of_8, taken);
  BOOST_TEST(first_numbers(ran).contains(before + 8));
  BOOST_TEST(is_bound(plan_of(ReplayWay::graph_of_8, taken.iteration).model));
  BOOST_TEST(!is_bound(plan_of(ReplayWay::graph, taken.iteration).model));
}

/// Counts on in one stream, and copies the count to the host.
Taken counted_out(Counting& program) {
  return program.take([&](std::uint32_t) {
    program.launch(program.sum, {program.a, program.a, 1}, program.one);
    program.copy(program.out, program.a, bytes, program.one);
    program.synchronize(program.one);
  });
}

BOOST_AUTO_TEST_CASE(lagged_waits_leave_the_bytes_of_as_many_iterations) {
  Counting program;
  const Taken taken = counted_out(program);
  const std::uint64_t before = *numbers_at(program.a) - 1;
  BOOST_TEST(why_not(ReplayWay::lagged_wait, taken.iteration) == "");
  const std::size_t waits = calls_of("cuEventSynchronize");
  const Ran ran = run_right(ReplayWay::lagged_wait, taken);
  BOOST_TEST(first_numbers(ran).contains(before + 8));
  BOOST_TEST(has(ran, Count{"operations", 16}));
  BOOST_TEST(has(ran, Count{"host waits", 8}));
  BOOST_TEST(state().waits_for_latest == 0u);
  BOOST_TEST((calls_of("cuEventSynchronize") - waits) % 7 == 0u);  // the first run has no other
  BOOST_TEST(is_bound(plan_of(ReplayWay::lagged_wait, taken.iteration).model));
}

BOOST_AUTO_TEST_CASE(a_word_says_that_the_iteration_is_done) {
  Counting program;
  const Taken taken = counted_out(program);
  BOOST_TEST(why_not(ReplayWay::word_wait, taken.iteration) == "");
  run_right(ReplayWay::word_wait, taken);
  const std::size_t waits = calls_of("cuStreamSynchronize");
  const std::size_t words = calls_of("cuStreamWriteValue32");
  const auto candidate = make_candidate(ReplayWay::word_wait, taken.iteration);
  double us = 0;
  candidate->run(us);
  candidate->run(us);
  BOOST_TEST(calls_of("cuStreamSynchronize") == waits);
  BOOST_TEST(calls_of("cuStreamWriteValue32") == words + 2);
  BOOST_TEST(!is_bound(plan_of(ReplayWay::word_wait, taken.iteration).model));
}

BOOST_AUTO_TEST_CASE(another_wait_needs_one_at_the_end_for_one_stream) {
  const auto why = [](auto iteration) {
    Counting program;
    const Taken taken = program.take([&](std::uint32_t) { iteration(program); });
    const std::string lagged = why_not(ReplayWay::lagged_wait, taken.iteration);
    BOOST_TEST(why_not(ReplayWay::word_wait, taken.iteration) == lagged);
    return lagged;
  };
  const std::string not_at_end =
      "the iteration does not end with its only wait, for all of its work";
  BOOST_TEST(why([](Counting& program) {
               program.launch(program.sum, {program.a, program.a, 1}, program.one);
               program.launch(program.sum, {program.b, program.b, 1}, program.two);
               program.synchronize();
             }) == "the wait is for several streams");
  BOOST_TEST(why([](Counting& program) {
               program.launch(program.sum, {program.a, program.a, 1}, program.one);
               program.synchronize(program.one);
               program.memset(program.b, 1, 4, bytes, program.one);
               program.synchronize(program.one);
             }) == not_at_end);
  BOOST_TEST(why([](Counting& program) {
               program.launch(program.sum, {program.a, program.a, 1}, program.one);
               program.copy_and_wait(program.out, program.a, bytes);
               program.synchronize();
             }) == not_at_end);
}

/// Counts on, and lets the host read a word of it; `steps` times in an iteration.
Taken stepped(Counting& program, int steps, std::uint64_t read = 8) {
  return program.take([&program, steps, read](std::uint32_t) {
    program.memset(program.b, 1, 4, bytes, program.one);
    for (int i = 0; i < steps; ++i) {
      program.launch(program.sum, {program.a, program.a, 1}, program.one);
      program.copy(program.out, program.a, read, program.one);
      program.synchronize(program.one);
    }
  });
}

BOOST_AUTO_TEST_CASE(a_loop_of_a_graph_makes_as_many_turns_as_the_host) {
  for (const int steps : {1, 5}) {
    BOOST_TEST_INFO_SCOPE(steps);
    Counting program;
    const Taken taken = stepped(program, steps);
    BOOST_TEST(why_not(ReplayWay::graph_while, taken.iteration) == "");
    const std::uint64_t before = *numbers_at(program.a) - static_cast<std::uint64_t>(steps);
    const Ran ran = run_right(ReplayWay::graph_while, taken);
    const std::uint64_t turns = steps == 1 ? 16 : 5;
    BOOST_TEST(first_numbers(ran).contains(before + turns));
    BOOST_TEST(has(ran, Count{"loops", 1}));
    // The first of five steps begins with a memset and stays outside.
    BOOST_TEST(has(ran, Count{"kernel nodes", steps == 1 ? 2u : 3u}));
    const Plan plan = plan_of(ReplayWay::graph_while, taken.iteration);
    BOOST_TEST(plan.iterations.value_or(1) == (steps == 1 ? 16u : 1u));
    BOOST_TEST(is_bound(plan.model));
    BOOST_TEST(state().modules.empty());
  }
}

BOOST_AUTO_TEST_CASE(a_loop_needs_steps_after_which_the_host_reads_a_word) {
  const auto why = [](auto iteration, bool older = false) {
    Counting program;
    const Taken taken = program.take([&](std::uint32_t turn) { iteration(program, turn); });
    state().is_older = older;
    return why_not(ReplayWay::graph_while, taken.iteration);
  };
  const auto step = [](Counting& program, std::uint32_t) {
    program.launch(program.sum, {program.a, program.a, 1}, program.one);
    program.copy(program.out, program.a, 8, program.one);
    program.synchronize(program.one);
  };
  BOOST_TEST(why(step) == "");
  BOOST_TEST(why(step, true) == "the driver has no conditional nodes");
  BOOST_TEST(why([](Counting& program, std::uint32_t) {
               program.launch(program.sum, {program.a, program.a, 1}, program.one);
               program.copy(program.out, program.a, 72, program.one);
               program.synchronize(program.one);
             }) == "the host reads more after a step than whether to go on");
  BOOST_TEST(why([](Counting& program, std::uint32_t) {
               program.launch(program.sum, {program.a, program.a, 1}, program.one);
               program.synchronize(program.one);
             }) == "the host reads nothing after a step");
  BOOST_TEST(why([](Counting& program, std::uint32_t) {
               program.memset(program.a, 1, 4, bytes, program.one);
               program.copy(program.out, program.a, 8, program.one);
               program.synchronize(program.one);
             }) == "no kernel could set the condition of a loop");
  BOOST_TEST(why([&](Counting& program, std::uint32_t turn) {
               step(program, turn);
               program.memset(program.b, 1, 4, bytes, program.one);
               program.synchronize(program.one);
             }) == "no step is repeated");
  BOOST_TEST(why([](Counting& program, std::uint32_t) {
               program.launch(program.sum, {program.a, program.a, 1}, program.one);
               program.copy(program.out, program.a, 8, program.one);
               program.launch(program.sum, {program.b, program.a, 1}, program.one);
               program.copy(program.out + 8, program.b, 8, program.one);
               program.synchronize(program.one);
             }) == "cuMemcpyAsync: it uses the host's memory");
}

/// Two chains in one stream: only memory orders operations.
Taken chained(Counting& program, std::uint64_t second) {
  return program.take([&program, second](std::uint32_t) {
    program.launch(program.sum, {program.a, program.a, 1}, program.one);
    program.copy(program.out, program.a, 8, program.one);
    program.launch(program.sum, {second, second, 10}, program.one);
    program.copy(program.in, second, 8, program.one);
    program.synchronize(program.one);
  });
}

BOOST_AUTO_TEST_CASE(branches_keep_only_the_order_that_memory_needs) {
  Counting program;
  const Taken apart = chained(program, program.b);
  BOOST_TEST(why_not(ReplayWay::graph_branches, apart.iteration) == "");
  BOOST_TEST(has(run_right(ReplayWay::graph, apart), Count{"edges", 3}));
  BOOST_TEST(has(run_right(ReplayWay::graph_branches, apart), Count{"edges", 2}));
  const Plan plan = plan_of(ReplayWay::graph_branches, apart.iteration);
  BOOST_TEST(is_bound(plan.model));
}

BOOST_AUTO_TEST_CASE(branches_need_operations_that_use_other_memory) {
  Counting program;
  const Taken chain = program.take([&program](std::uint32_t) {
    program.launch(program.sum, {program.a, program.a, 1}, program.one);
    program.launch(program.sum, {program.b, program.a, 10}, program.one);
    program.copy(program.in, program.b, 8, program.one);
    program.synchronize(program.one);
  });
  BOOST_TEST(why_not(ReplayWay::graph_branches, chain.iteration) ==
             "the memory that they use needs the order of all operations");
}

BOOST_AUTO_TEST_CASE(iterations_stay_apart_if_the_host_may_have_its_hand_in_them) {
  const auto why = [](auto iteration) {
    Counting program;
    const Taken taken = program.take([&](std::uint32_t turn) { iteration(program, turn); });
    return why_not(ReplayWay::graph_of_4, taken.iteration);
  };
  BOOST_TEST(why([](Counting& program, std::uint32_t) {
               program.copy(program.a, program.in, bytes, program.one);
               program.synchronize(program.one);
             }) ==
             "cuMemcpyAsync: it may use what the host writes to its memory between iterations");
  BOOST_TEST(why([](Counting& program, std::uint32_t) {
               program.launch(program.sum, {program.a, program.in, 1}, program.one);
               program.synchronize(program.one);
             }) ==
             "cuLaunchKernelEx: it may use what the host writes to its memory between iterations");
  BOOST_TEST(why([](Counting& program, std::uint32_t turn) {
               program.launch(program.sum, {program.a, program.a, turn}, program.one);
               program.synchronize(program.one);
             }) == "cuLaunchKernelEx: its arguments or pointers vary between iterations");
  BOOST_TEST(why([](Counting& program, std::uint32_t) {
               program.launch(program.sum, {program.b, program.a, 1}, program.one);
               program.synchronize(program.one);
               program.launch(program.sum, {program.a, program.b, 1}, program.two);
               program.synchronize(program.two);
             }) == "the host waits between operations of an iteration");
}

BOOST_AUTO_TEST_CASE(copies_that_follow_each_other_in_both_memories_are_one) {
  Program program;
  const std::uint64_t in = program.pinned(bytes), a = program.device(bytes),
                      b = program.device(bytes), out = program.pageable(bytes);
  const CUstream one = program.stream(), two = program.stream();
  const std::uint64_t part = bytes / 4;
  for (std::size_t i = 0; i < numbers; ++i) numbers_at(in)[i] = i;
  const Taken taken = program.take([&](std::uint32_t) {
    for (const std::uint64_t at : {0, 1, 2}) program.copy(a + at * part, in + at * part, part, one);
    program.copy(a + 3 * part, in + 3 * part, part, two);  // another stream
    program.synchronize();
    program.copy(b, a, part, one);
    program.copy(b + part, a + 2 * part, part, one);  // not next to it there
    for (const std::uint64_t at : {0, 1}) program.copy(out + at * part, b + at * part, part, one);
    program.synchronize(one);
  });
  BOOST_TEST(why_not(ReplayWay::joined_copies, taken.iteration) == "");
  const Ran same = run_right(ReplayWay::calls, taken);
  const Ran ran = run_right(ReplayWay::joined_copies, taken);
  BOOST_TEST(has(same, Count{"operations", 8}));
  BOOST_TEST(has(ran, Count{"operations", 5}));
  BOOST_TEST(ran.outputs.size() == 2u);
  BOOST_TEST((ran.outputs == same.outputs));
}

BOOST_AUTO_TEST_CASE(copies_stay_apart_where_one_would_not_do) {
  const auto why = [](auto iteration) {
    Counting program;
    const Taken taken = program.take([&](std::uint32_t turn) { iteration(program, turn); });
    return why_not(ReplayWay::joined_copies, taken.iteration);
  };
  const std::string apart = "no copy goes on where the one before ends, on both sides";
  BOOST_TEST(why([](Counting& program, std::uint32_t) {  // something lies between them
               program.copy(program.a, program.in, 64, program.one);
               program.launch(program.sum, {program.b, program.a, 1}, program.one);
               program.copy(program.a + 64, program.in + 64, 64, program.one);
               program.synchronize(program.one);
             }) == apart);
  BOOST_TEST(why([](Counting& program, std::uint32_t turn) {  // they lie elsewhere each time
               const std::uint64_t at = turn % 2 * 128;
               program.copy(program.a + at, program.in, 64, program.one);
               program.copy(program.a + at + 64, program.in + 64, 64, program.one);
               program.synchronize(program.one);
             }) == apart);
  BOOST_TEST(why([](Counting& program, std::uint32_t) {  // the host's memory is written again
               program.copy(program.out, program.a, 64, program.one);
               program.copy(program.out + 64, program.a + 64, 64, program.one);
               program.copy(program.out, program.b, 64, program.one);
               program.synchronize(program.one);
             }) == apart);
}

BOOST_AUTO_TEST_CASE(rows_and_wide_values_are_copied_and_set) {
  for (const ReplayWay way : {ReplayWay::calls, ReplayWay::graph}) {
    BOOST_TEST_INFO_SCOPE(name_of(way));
    Program program;
    const std::uint64_t in = program.pageable(bytes), a = program.device(bytes),
                        b = program.device(bytes), out = program.pinned(bytes);
    const CUstream one = program.stream();
    for (std::size_t i = 0; i < numbers; ++i) numbers_at(in)[i] = i;
    const Taken taken = program.take([&](std::uint32_t) {
      program.memset(a, 0x1234, 2, bytes, one);
      program.memset(b, 0x56789abc, 4, bytes, one);
      program.copy_rows(a, 64, in, 32, 16, 4, one);
      program.copy_rows(b, 32, a, 64, 24, 4, one);
      program.copy_rows(out, 128, b, 32, 24, 4, one);
      program.synchronize(one);
    });
    const Ran ran = run(way, taken);
    BOOST_TEST(ran.wrong == "");
    std::uint64_t second_row[3];
    std::memcpy(second_row, ran.outputs.at(0).data() + 128, sizeof second_row);
    BOOST_TEST(second_row[0] == 4u);
    BOOST_TEST(second_row[1] == 5u);
    BOOST_TEST(second_row[2] == 0x1234123412341234u);
  }
}

BOOST_AUTO_TEST_CASE(slices_are_copied_with_the_gaps_between_them) {
  for (const ReplayWay way : {ReplayWay::calls, ReplayWay::graph}) {
    BOOST_TEST_INFO_SCOPE(name_of(way));
    Program program;
    const std::uint64_t in = program.pinned(bytes), a = program.device(bytes),
                        out = program.pinned(bytes);
    const CUstream one = program.stream();
    for (std::size_t i = 0; i < numbers; ++i) numbers_at(in)[i] = i;
    const Taken taken = program.take([&](std::uint32_t) {
      program.memset(a, 7, 4, bytes, one);
      program.copy_slices(a, 5, in, 16, 3, one);
      program.copy_slices(out, 3, a, 16, 3, one);
      program.synchronize(one);
    });
    // Three slices of two rows of two numbers, the last one without a gap behind it.
    const RecordedCall& copy = taken.iteration.recording.calls[1];
    BOOST_TEST(copy.bytes == 96u);
    BOOST_TEST(copy.uses[0].bytes == 96u);
    BOOST_TEST(copy.uses[1].bytes == (2 * 5 + 2) * 16u);
    const Ran ran = run_right(way, taken);
    BOOST_REQUIRE(ran.outputs.at(0).size() == (2 * 3 + 2) * 16u);
    std::uint64_t slices[16];
    std::memcpy(slices, ran.outputs.at(0).data(), sizeof slices);
    BOOST_TEST(slices[1] == 1u);
    BOOST_TEST(slices[4] == 0xa5a5a5a5a5a5a5a5u);  // a gap, as it was
    BOOST_TEST(slices[7] == 0x700000007u);         // from behind the second slice's first row
    BOOST_TEST((way == ReplayWay::graph || calls_of("cuMemcpy3DAsync") > 0));
  }
}

BOOST_AUTO_TEST_SUITE_END()
