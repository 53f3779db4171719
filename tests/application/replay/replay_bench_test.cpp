// The passes of a candidate on a fake driver, also of loops that run ahead of the device.
#include "common/application/replay/measure_replay.hpp"
#include "tests/application/replay/replayed.hpp"

BOOST_AUTO_TEST_SUITE(replay_bench)

/// Counts in one buffer, and notes each count.
struct Counting : Program {
  const std::uint64_t a = device(8);
  const CUstream one = stream();
  std::vector<std::uint64_t> values;
  Kernel& count =
      kernel(1, [this](const Kernel::Words& words) { values.push_back(++*numbers_at(words[0])); });

  Taken take_one() {
    *numbers_at(a) = 0;
    return take([this](std::uint32_t) {
      launch(count, {a}, one);
      synchronize(one);
    });
  }
};

BOOST_AUTO_TEST_CASE(eight_passes_go_on_from_one_another) {
  Counting program;
  const Taken taken = program.take_one();
  const std::uint64_t first = *numbers_at(program.a);
  const Expected expected = expected_now(taken);
  ReplayBench bench(taken.iteration, {ReplayWay::calls}, expected);
  bench.set_up(0);
  bench.pass(0);
  program.values.clear();
  for (int sample = 0; sample < 8; ++sample) bench.sample(0, 1);  // two passes each
  std::vector<std::uint64_t> passes;
  for (const std::uint64_t value : program.values) passes.push_back(value - first);
  BOOST_TEST(passes == (std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(several_iterations_in_a_run_are_counted_as_such) {
  Counting program;
  const Taken taken = program.take_one();
  const std::uint64_t before = *numbers_at(program.a) - 1;
  const Expected expected = expected_now(taken);
  ReplayBench bench(taken.iteration, {ReplayWay::graph_of_4}, expected);
  bench.set_up(0);
  program.values.clear();
  bench.pass(0);
  for (int sample = 0; sample < 2; ++sample) bench.sample(0, 1);  // two runs each
  std::vector<std::uint64_t> passes;
  for (const std::uint64_t value : program.values) passes.push_back(value - before);
  const std::vector<std::uint64_t> eight{1, 2, 3, 4, 5, 6, 7, 8};
  BOOST_REQUIRE(passes.size() == 20u);
  BOOST_TEST(std::vector(passes.begin(), passes.begin() + 8) == eight,
             boost::test_tools::per_element());
  BOOST_TEST(std::vector(passes.begin() + 8, passes.begin() + 16) == eight,
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(several_iterations_that_differ_from_run_to_run_are_not_compared) {
  Program program;
  const std::uint64_t a = program.device(8);
  const CUstream one = program.stream();
  std::uint64_t runs = 0, grows = 0;
  Kernel& count =
      program.kernel(1, [&](const Kernel::Words& words) { *numbers_at(words[0]) = runs += grows; });
  const Taken taken = program.take([&](std::uint32_t) {
    program.launch(count, {a}, one);
    program.synchronize(one);
  });
  const Expected expected = expected_now(taken);
  ReplayBench bench(taken.iteration, {ReplayWay::graph_of_2}, expected);
  bench.set_up(0);
  BOOST_TEST(bench.check(0, 1) == "");
  grows = 1;
  BOOST_TEST(refusal<NotPossible>([&] { bench.check(0, 1); }) ==
             "2 iterations of the same calls leave other bytes from run to run");
}

/// Adds up in device memory, and copies in and out.
struct Adding : Program {
  const std::uint64_t in = pinned(bytes), out = pageable(bytes);
  const std::uint64_t a = device(bytes), sum = device(bytes);
  const CUstream one = stream(CU_STREAM_DEFAULT, -1);
  Kernel& add = kernel(2, [](const Kernel::Words& words) {
    for (std::size_t i = 0; i < numbers; ++i) {
      numbers_at(words[0])[i] += 3 * numbers_at(words[1])[i];
    }
  });

  /// `others`: streams of other threads, and one that is not like theirs.
  Taken take_one(int others) {
    Taken taken = take([this](std::uint32_t turn) {
      numbers_at(in)[0] = turn;
      copy(a, in, bytes, one);
      launch(add, {sum, a}, one);
      copy(out, sum, bytes, one);
      synchronize(one);
    });
    taken.iteration.streams = {0, number(one), number(stream(CU_STREAM_DEFAULT, 0))};
    for (int i = 0; i < others; ++i) {
      taken.iteration.streams.push_back(number(stream(CU_STREAM_DEFAULT, -1)));
    }
    return taken;
  }
};

BOOST_AUTO_TEST_CASE(threads_side_by_side_leave_the_same_each_in_memory_and_streams_of_its_own) {
  Adding program;
  const Taken taken = program.take_one(3);
  const Expected expected = expected_now(taken);
  const Live before = live();
  for (const ReplayWay way : {ReplayWay::calls, ReplayWay::graph}) {
    ReplayBench bench(taken.iteration, {way}, expected, 3);
    bench.set_up(0);
    BOOST_TEST(bench.check(0, 1) == "");
    const std::uint64_t waits = calls_of("cuStreamSynchronize");
    bench.pass(0);
    BOOST_TEST(calls_of("cuStreamSynchronize") >= waits + 4 * passes_side_by_side);
    bench.tear_down(0);
  }
  BOOST_TEST((live() == before));
}

BOOST_AUTO_TEST_CASE(another_thread_has_streams_and_memory_like_the_first) {
  Adding program;
  const Taken taken = program.take_one(1);
  FreeStreams streams = free_streams(taken.iteration);
  const OtherThread other(taken.iteration, streams);
  const auto& calls = other.taken().observed.calls;
  BOOST_TEST((calls[0].stream == taken.iteration.streams.back()));
  BOOST_TEST((calls[3].stream == calls[0].stream && streams.size() == 1));
  BOOST_TEST(refusal<NotPossible>([&] { OtherThread(taken.iteration, streams); }) ==
             "the threads have no streams that are alike");
  BOOST_TEST((calls[0].destination != program.a && calls[0].source == program.in));
  other.take_content();
  const std::uint64_t* const own = numbers_at(calls[2].source);
  BOOST_TEST(std::equal(own, own + numbers, numbers_at(program.sum)));
}

BOOST_AUTO_TEST_CASE(another_thread_gets_no_new_default_stream) {
  Adding program;
  Taken taken = program.take_one(1);
  FreeStreams streams = free_streams(taken.iteration);
  for (ObservedCall& call : taken.iteration.observed.calls) {
    call.stream = number(CU_STREAM_PER_THREAD);
  }
  BOOST_TEST(refusal<NotPossible>([&] { OtherThread(taken.iteration, streams); }) ==
             "each thread has a default stream of its own");
}

/// Its memory points to what it adds to, so a thread's kernel reaches that of the first one.
BOOST_AUTO_TEST_CASE(wrong_bytes_of_any_thread_are_found) {
  Program program;
  const std::uint64_t a = program.device(bytes), sum = program.device(bytes);
  const CUstream one = program.stream();
  Kernel& add =
      program.kernel(1, [](const Kernel::Words& words) { ++*numbers_at(*numbers_at(words[0])); });
  *numbers_at(a) = sum;
  Taken taken = program.take([&](std::uint32_t) {
    program.launch(add, {a}, one);
    program.synchronize(one);
  });
  const Expected expected = expected_now(taken);
  taken.iteration.streams = {number(program.stream())};
  ReplayBench bench(taken.iteration, {ReplayWay::calls}, expected, 1);
  bench.set_up(0);
  BOOST_TEST(bench.check(0, 1).starts_with("wrong data: "));
}

BOOST_AUTO_TEST_CASE(wrong_bytes_of_another_thread_alone_are_found) {
  Program program;
  const std::uint64_t a = program.device(8);
  const CUstream one = program.stream();
  Kernel& add = program.kernel(
      1, [a](const Kernel::Words& words) { *numbers_at(words[0]) += words[0] == a ? 1 : 2; });
  Taken taken = program.take([&](std::uint32_t) {
    program.launch(add, {a}, one);
    program.synchronize(one);
  });
  taken.iteration.streams = {number(program.stream())};
  const Expected expected = expected_now(taken);
  ReplayBench bench(taken.iteration, {ReplayWay::calls}, expected, 1);
  bench.set_up(0);
  BOOST_TEST(bench.check(0, 1).starts_with("wrong data: "));
}

BOOST_AUTO_TEST_CASE(the_error_of_any_thread_is_thrown) {
  ThreadTeam team(2);
  std::atomic<int> done = 0;
  for (int i = 0; i < 100; ++i) team.run([&](std::size_t) { ++done; });
  BOOST_TEST(done == 300);
  const auto fails = [](std::size_t thread) {
    if (thread == 2) throw NotPossible("not here");
  };
  BOOST_TEST(refusal<NotPossible>([&] { team.run(fails); }) == "not here");
  team.run([&](std::size_t) { ++done; });
  BOOST_TEST(done == 303);
}

BOOST_AUTO_TEST_CASE(it_works_in_a_stream_of_the_application_that_is_not_the_legacy_one) {
  Program program;
  const std::uint64_t a = program.device(bytes);
  const CUstream one = program.stream();
  const Taken both = program.take([&](std::uint32_t) {
    program.memset(a, 1, 4, bytes, nullptr);
    program.memset(a, 2, 4, bytes, one);
    program.synchronize();
  });
  BOOST_TEST(stream_of(both.iteration) == one);
  Program other;
  const std::uint64_t b = other.device(bytes);
  const Taken legacy = other.take([&](std::uint32_t) {
    other.memset(b, 1, 4, bytes, nullptr);
    other.synchronize();
  });
  BOOST_TEST(stream_of(legacy.iteration) == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(run_ahead)

/// Counts in two buffers, each in its own stream. Before it continues, the host waits for the count
/// before the previous one.
struct TwoInTurn : Program {
  const std::uint64_t a[2] = {device(64), device(64)};
  const CUstream streams[2] = {stream(), stream()};
  const CUevent done[2] = {event(), event()};
  std::uint64_t counted = 0;
  Kernel& count = kernel(1, [this](const Kernel::Words& words) {
    ++*numbers_at(words[0]);
    ++counted;
  });

  Taken take_one() {
    for (const std::uint64_t buffer : a) *numbers_at(buffer) = 0;
    Taken taken = take([this](std::uint32_t turn) {
      const std::uint32_t one = turn % 2, other = 1 - one;
      launch(count, {a[one]}, streams[one]);
      record(done[one], streams[one]);
      wait_for(done[other]);
    });
    TRILANE_DRIVER(cuCtxSynchronize);
    return taken;
  }
};

/// Returns how many counts are done when this many passes were issued.
std::uint64_t done_after(TwoInTurn& program, Candidate& candidate, int passes) {
  program.counted = 0;
  for (int i = 0; i < passes; ++i) issue(candidate);
  const std::uint64_t done = program.counted;
  TRILANE_DRIVER(cuCtxSynchronize);
  return done;
}

BOOST_AUTO_TEST_CASE(a_wait_is_for_the_event_of_the_pass_before) {
  TwoInTurn program;
  const Taken taken = program.take_one();
  BOOST_REQUIRE(taken.iteration.recording.calls.size() == 6u);
  for (const ReplayWay way : {ReplayWay::calls, ReplayWay::graph}) {
    const auto candidate = make_candidate(way, taken.iteration);
    BOOST_TEST_INFO_SCOPE(name_of(way));
    // The second of a pass's two counts is not waited for before the next pass.
    BOOST_TEST(done_after(program, *candidate, 1) == 1u);
    BOOST_TEST(done_after(program, *candidate, 3) == 5u);
  }
}

BOOST_AUTO_TEST_CASE(passes_of_a_batch_have_no_wait_of_the_replay_between_them) {
  TwoInTurn program;
  const Taken taken = program.take_one();
  const Expected expected = expected_now(taken);
  for (const ReplayWay way : {ReplayWay::calls, ReplayWay::graph}) {
    ReplayBench bench(taken.iteration, {way}, expected);
    bench.set_up(0);
    const auto waits_in = [&](std::uint32_t batch) {
      const std::uint64_t before = calls_of("cuCtxSynchronize") + calls_of("cuStreamSynchronize");
      program.counted = 0;
      bench.sample(0, batch);
      BOOST_TEST(program.counted == 2 * (passes_to_fill + 2 * batch));
      return calls_of("cuCtxSynchronize") + calls_of("cuStreamSynchronize") - before;
    };
    BOOST_TEST_INFO_SCOPE(name_of(way));
    BOOST_TEST(waits_in(3) == waits_in(12));
  }
}

BOOST_AUTO_TEST_CASE(a_loop_without_a_wait_is_timed_until_the_device_is_idle) {
  Program program;
  const std::uint64_t a = program.device(64);
  const CUstream one = program.stream();
  std::uint64_t counted = 0;
  Kernel& count = program.kernel(1, [&](const Kernel::Words&) { ++counted; });
  Taken taken = program.take([&](std::uint32_t) {
    program.launch(count, {a}, one);
    program.synchronize(one);
  });
  taken.iteration.recording.calls.pop_back();
  taken.iteration.observed.calls.pop_back();
  const Expected expected = expected_now(taken);
  ReplayBench bench(taken.iteration, {ReplayWay::calls}, expected);
  bench.set_up(0);
  counted = 0;
  bench.sample(0, 5);
  BOOST_TEST(counted == 2 * 5u);  // nothing fills the streams first
  ReplayBench together(taken.iteration, {ReplayWay::graph_of_8}, expected);
  together.set_up(0);
  counted = 0;
  together.sample(0, 12);
  BOOST_TEST(counted == 2 * 16u);  // two graphs hold at least as many
}

BOOST_AUTO_TEST_CASE(every_candidate_of_such_a_loop_is_checked_and_measured) {
  TwoInTurn program;
  const Taken taken = program.take_one();
  const ReplayRecord record =
      measure_replay(taken.iteration, taken.before, {.seconds = 0.05, .precision = 0.5}, [] {});
  BOOST_TEST(record.refusal == "");
  BOOST_TEST(record.overlaps);
  BOOST_REQUIRE(record.comparison);
  BOOST_CHECK(record.comparison->mode == Mode::throughput);
  for (const Measurement& m : record.comparison->measurements) {
    BOOST_TEST_INFO_SCOPE(m.variant << ": " << m.message);
    if (m.variant == "calls" || m.variant == "graph") BOOST_CHECK(m.status == Status::ok);
    if (m.variant == "fewer_waits") {
      BOOST_TEST(m.message == "the loop runs ahead: it waits for earlier work only");
    }
  }
}

BOOST_AUTO_TEST_CASE(wrong_bytes_are_still_seen) {
  TwoInTurn program;
  const Taken taken = program.take_one();
  Expected expected = expected_now(taken);
  ++*numbers_at(program.a[0]);
  expected.after = Snapshot(taken.before.memory());
  BOOST_TEST(run(ReplayWay::calls, taken, expected).wrong != "");
  BOOST_TEST(run(ReplayWay::graph, taken, expected).wrong != "");
}

BOOST_AUTO_TEST_SUITE_END()
