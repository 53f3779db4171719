// A whole replay on a fake driver: what it measures, omits or refuses, and that it leaves nothing
// behind.
#include "common/application/replay/measure_replay.hpp"

#include "tests/application/replay/replayed.hpp"

BOOST_AUTO_TEST_SUITE(measured_replay)

constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;

/// Copies in, works in two streams, copies out to pageable memory. Each kernel may be replaced.
struct TwoStreams : Program {
  const std::uint64_t in = pinned(bytes), out = pageable(bytes);
  const std::uint64_t a = device(bytes), b = device(bytes), more = device(4 * bytes);
  const CUstream one = stream(), two = stream();
  const CUevent copied = event();
  Kernel& work = kernel(2, [](const Kernel::Words& words) {
    for (std::size_t i = 0; i < numbers; ++i) {
      numbers_at(words[0])[i] += 3 * numbers_at(words[1])[i];
    }
  });

  Taken take_one() {
    return take([this](std::uint32_t turn) {
      numbers_at(in)[0] = turn;
      copy(a, in, bytes, one);
      record(copied, one);
      wait(two, copied);
      launch(work, {b, a}, two);
      memset(more, turn_value, 4, 4 * bytes, one);
      copy(out, b, bytes, two);
      synchronize();
    });
  }
  std::uint32_t turn_value = 9;
};

/// Returns the bytes of all device memory of the program.
std::vector<std::byte> content(const Taken& taken) {
  const Snapshot now(taken.before.memory());
  return {now.content(0), now.content(0) + bytes_of(now.memory())};
}

struct Replayed {
  ReplayRecord record;
  bool memory_is_back = false, nothing_is_left = false;
};

/// Replays; `planted` causes an error.
Replayed replay(
    const Taken& taken, const std::function<void()>& planted = [] {}) {
  const std::vector<std::byte> end = content(taken);
  const Live before = live();
  planted();
  Replayed replayed;
  replayed.record =
      measure_replay(taken.iteration, taken.before, {.seconds = 0.05, .precision = 0.5}, [] {});
  state().error = CUDA_SUCCESS;
  replayed.nothing_is_left = live() == before;
  static_cast<void>(wait_for_all());  // what was left behind in streams
  replayed.memory_is_back = content(taken) == end;
  return replayed;
}

const Measurement& measured(const ReplayRecord& record, ReplayWay way) {
  const auto& all = record.comparison.value().measurements;
  return *std::ranges::find(all, name_of(way), &Measurement::variant);
}

BOOST_AUTO_TEST_CASE(every_candidate_is_checked_and_measured) {
  TwoStreams program;
  const auto [record, memory_is_back, nothing_is_left] = replay(program.take_one());
  BOOST_TEST(record.refusal == "");
  BOOST_TEST(record.uncertain.empty());
  BOOST_TEST(record.snapshot_bytes == 6 * bytes);
  BOOST_TEST(memory_is_back);
  BOOST_TEST(nothing_is_left);
  for (const ReplayWay way : {ReplayWay::calls, ReplayWay::graph, ReplayWay::pinned}) {
    const Measurement& m = measured(record, way);
    BOOST_TEST_INFO_SCOPE(m.variant << ": " << m.message);
    BOOST_TEST((m.status == Status::ok));
    BOOST_TEST(m.checked_passes > 0u);
    BOOST_TEST(!m.samples.empty());
    BOOST_TEST(mismatches(m.plan.facts, m.evidence).empty());
  }
  BOOST_TEST((measured(record, ReplayWay::pool).status == Status::not_supported));
  BOOST_TEST(measured(record, ReplayWay::pool).message ==
             "no device memory is allocated in the iteration");
}

BOOST_AUTO_TEST_CASE(threads_that_are_alike_run_side_by_side) {
  TwoStreams program;
  Taken taken = program.take_one();
  BOOST_TEST((replay(taken).record.threads == 0 && replay(taken).record.alone_because == ""));
  taken.iteration.recording.issuing = {.thread = 1, .others = 3, .alike = 2};
  const ReplayRecord alone = replay(taken).record;
  BOOST_TEST(alone.alone_because == "the threads have no streams that are alike");
  BOOST_TEST((alone.threads == 0 && measured(alone, ReplayWay::calls).status == Status::ok));
  for (int i = 0; i < 4; ++i) taken.iteration.streams.push_back(number(program.stream()));
  const auto [record, memory_is_back, nothing_is_left] = replay(taken);
  BOOST_TEST((record.refusal == "" && memory_is_back && nothing_is_left));
  BOOST_TEST((record.threads == 3u && record.alone_because == ""));
  for (const ReplayWay way : {ReplayWay::calls, ReplayWay::graph, ReplayWay::pinned}) {
    const Measurement& m = measured(record, way);
    BOOST_TEST_INFO_SCOPE(m.variant << ": " << m.message);
    BOOST_TEST((m.status == Status::ok && m.checked_passes > 0));
  }
  BOOST_TEST(replay_from_json(to_json(record)).threads == 3u);
}

/// The runtime's code is not the application's host code, and runs between its calls.
BOOST_AUTO_TEST_CASE(the_runtime_s_code_is_not_the_applications_own) {
  TwoStreams program;
  Taken taken = program.take_one();
  for (RecordedCall& call : taken.iteration.recording.calls) {
    call.own_us = 0.25;
    call.call_us = 1;
    call.runtime_us = 0.5;
  }
  const std::size_t calls = taken.iteration.recording.calls.size();
  BOOST_TEST(replay(taken).record.host_us == 0.25 * static_cast<double>(calls));
  ReplayedIteration same(taken.iteration, HostKind::as_recorded);
  BOOST_TEST(same.calls().at(1).gap_us == 0.75);
}

BOOST_AUTO_TEST_CASE(host_functions_are_left_out_if_the_user_wants_that) {
  TwoStreams program;
  const auto take_one = [&] {
    return program.take([&](std::uint32_t) {
      program.launch(program.work, {program.b, program.a}, program.one);
      program.host_function(program.one);
      program.memset(program.more, 9, 4, bytes, program.one);
      program.synchronize();
      program.host_function(program.two);
    });
  };
  Taken taken = take_one();
  BOOST_TEST(replay(taken).record.refusal ==
             "cuLaunchHostFunc: it calls a function of the program on the host");
  for (RecordedCall& call : taken.iteration.recording.calls) call.own_us = 1;
  taken.iteration.recording.watched_us.assign(20, 1e6);
  skip_host_functions(taken.iteration);
  BOOST_TEST(taken.iteration.recording.calls.at(1).own_us.value() == 2);
  const auto [record, memory_is_back, nothing_is_left] = replay(taken);
  BOOST_TEST(record.refusal == "");
  BOOST_TEST(record.skipped_host_functions == 2u);
  BOOST_REQUIRE(record.comparison);
  BOOST_TEST(!record.comparison->watched);  // the application does not leave them out
  BOOST_TEST((measured(record, ReplayWay::graph).status == Status::ok));
  BOOST_TEST((memory_is_back && nothing_is_left));
}

BOOST_AUTO_TEST_CASE(a_kernel_that_adds_to_its_output_begins_anew) {
  Program program;
  const std::uint64_t a = program.device(bytes);
  const CUstream one = program.stream();
  std::uint64_t most = 0;
  Kernel& count = program.kernel(
      1, [&](const Kernel::Words& words) { most = std::max(most, ++*numbers_at(words[0])); });
  program.memset(a, 0, 4, bytes, one);
  const Taken taken = program.take([&](std::uint32_t) {
    program.launch(count, {a}, one);
    program.synchronize(one);
  });
  const std::uint64_t start = *numbers_at(a) - 1;
  const Replayed replayed = replay(taken);
  BOOST_TEST(replayed.record.refusal == "");
  BOOST_TEST((measured(replayed.record, ReplayWay::graph).status == Status::ok));
  BOOST_TEST(replayed.memory_is_back);
  // Consecutive passes continue from one another, as in the program, but not for ever.
  BOOST_TEST(most > start + 2);
  BOOST_TEST(most <= start + 9);
}

BOOST_AUTO_TEST_CASE(bytes_that_differ_from_run_to_run_are_left_out_and_named) {
  TwoStreams program;
  std::uint64_t runs = 0;
  program.work.body = [&](const Kernel::Words& words) { numbers_at(words[0])[0] = ++runs; };
  const Taken taken = program.take_one();
  const Replayed replayed = replay(taken);
  BOOST_TEST(replayed.record.refusal == "");
  BOOST_REQUIRE(replayed.record.uncertain.size() == 2u);
  // In blocks of 512 bytes.
  BOOST_TEST(replayed.record.uncertain[0].memory == name_of(program.b, taken));
  BOOST_TEST(replayed.record.uncertain[0].bytes == 512u);
  BOOST_TEST(replayed.record.uncertain[0].of_bytes == bytes);
  BOOST_TEST(replayed.record.uncertain[1].memory == "the copy to host memory 0");
  BOOST_TEST((measured(replayed.record, ReplayWay::graph).status == Status::ok));
  BOOST_TEST(replayed.memory_is_back);
}

BOOST_AUTO_TEST_CASE(where_most_bytes_differ_nothing_is_claimed) {
  TwoStreams program;
  std::uint64_t runs = 0;
  program.work.body = [&](const Kernel::Words& words) {
    ++runs;
    for (std::size_t i = 0; i < numbers; ++i) numbers_at(words[0])[i] = runs;
  };
  const Replayed replayed = replay(program.take_one());
  BOOST_TEST(replayed.record.refusal ==
             "89% of the bytes that an iteration changes differ from run to run of the same calls, "
             "so no candidate can be checked");
  BOOST_TEST(!replayed.record.comparison);
  BOOST_TEST(replayed.memory_is_back);
}

BOOST_AUTO_TEST_CASE(memory_that_something_else_changes_is_a_refusal) {
  Program program;
  const std::uint64_t a = program.device(bytes), b = program.device(bytes);
  const CUstream one = program.stream(), two = program.stream();
  const Taken taken = program.take([&](std::uint32_t turn) {
    program.memset(a, turn, 4, bytes, one);
    static_cast<void>(wait_for_all());  // seen by the program in mapped memory, for example
    program.copy(b, a, bytes, two);
    program.synchronize();
  });
  const Replayed replayed = replay(taken);
  BOOST_TEST(replayed.record.refusal.starts_with(
      "the same calls leave other bytes than the application did, "));
  BOOST_TEST(replayed.record.refusal.find("in " + name_of(b, taken) + ": ") != std::string::npos);
  BOOST_TEST(replayed.memory_is_back);
  BOOST_TEST(replayed.nothing_is_left);
}

BOOST_AUTO_TEST_CASE(memory_outside_stream_order_is_handed_to_the_next_pass_too) {
  Program program;
  program.device(bytes);
  const CUstream one = program.stream();
  std::uint64_t last = program.allocate(bytes);
  const Taken taken = program.take([&](std::uint32_t) {
    const std::uint64_t next = program.allocate(bytes);
    program.memset(next, 1, 1, bytes, one);
    program.free(last);
    last = next;
    program.synchronize(one);
  });
  const Replayed replayed = replay(taken);
  BOOST_TEST(replayed.record.refusal == "");
  BOOST_TEST(replayed.nothing_is_left);
  BOOST_TEST((measured(replayed.record, ReplayWay::pool).status == Status::ok));
  BOOST_TEST(measured(replayed.record, ReplayWay::graph_set).message ==
             "cuMemFree: it frees memory of an earlier iteration, which is elsewhere each time");
}

BOOST_AUTO_TEST_CASE(what_slows_calls_down_leaves_once_and_before_anything_is_compared) {
  TwoStreams program;
  const Taken taken = program.take_one();
  int times = 0;
  const auto leaves = [&] { ++times; };
  const ReplayRecord record =
      measure_replay(taken.iteration, taken.before, {.seconds = 0.02}, leaves);
  BOOST_TEST(record.refusal == "");
  BOOST_TEST(times == 1);
  const ReplayRecord failed = measure_replay(taken.iteration, taken.before, {.seconds = 0.02},
                                             [] { throw std::runtime_error("it stays"); });
  BOOST_TEST(failed.refusal == "it stays");
  BOOST_TEST(!failed.comparison);
}

BOOST_AUTO_TEST_CASE(what_slows_calls_down_also_leaves_where_nothing_can_be_replayed) {
  TwoStreams program;
  Taken taken = program.take_one();
  taken.iteration.recording.calls.front().refusal = "planted";
  int times = 0;
  const ReplayRecord record =
      measure_replay(taken.iteration, taken.before, {.seconds = 0.02}, [&] { ++times; });
  BOOST_TEST(record.refusal.find("planted") != std::string::npos);
  BOOST_TEST(times == 1);
}

BOOST_AUTO_TEST_CASE(its_workload_is_the_beginning_of_the_command_line) {
  TwoStreams program;
  Taken taken = program.take_one();
  taken.iteration.recording.application = "./app --colour 'é' " + std::string(50, 'x');
  const Replayed replayed = replay(taken);
  BOOST_REQUIRE(replayed.record.comparison);
  BOOST_TEST(replayed.record.comparison->workload.name ==
             "./app --colour 'é' " + std::string(37, 'x') + "...");
}

BOOST_AUTO_TEST_CASE(the_same_calls_can_be_compared_with_themselves) {
  TwoStreams program;
  const Taken taken = program.take_one();
  const ReplayRecord record = measure_replay(taken.iteration, taken.before,
                                             {.seconds = 0.02, .seed = 5, .repeats = 3}, [] {});
  BOOST_TEST(record.refusal == "");
  BOOST_TEST(!record.comparison);
  BOOST_REQUIRE(record.with_itself.size() == 3u);
  BOOST_TEST(record.with_itself[2].seed == 7u);
  for (const Comparison& comparison : record.with_itself) {
    BOOST_REQUIRE(comparison.measurements.size() == 2u);
    BOOST_TEST(comparison.measurements[1].variant == "calls_again");
    for (const Measurement& m : comparison.measurements) {
      BOOST_TEST((m.status == Status::ok));
      BOOST_TEST(!m.samples.empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_call_that_fails_is_said_and_leaves_nothing_behind) {
  for (const char* function :
       {"cuMemcpyAsync", "cuLaunchKernel", "cuStreamWaitEvent", "cuMemsetD32Async", "cuEventCreate",
        "cuMemHostAlloc", "cuStreamSynchronize"}) {
    BOOST_TEST_INFO_SCOPE(function);
    TwoStreams program;
    const Replayed replayed =
        replay(program.take_one(), [&] { plant(function, 1, CUDA_ERROR_INVALID_VALUE); });
    BOOST_TEST(replayed.record.refusal == fmt::format("{}: CUDA_ERROR_INVALID_VALUE", function));
    BOOST_TEST(replayed.memory_is_back);
    BOOST_TEST(replayed.nothing_is_left);
  }
}

BOOST_AUTO_TEST_CASE(a_call_that_fails_later_costs_its_candidate_only) {
  for (const char* function :
       {"cuGraphCreate", "cuGraphAddKernelNode", "cuGraphAddMemcpyNode", "cuGraphAddMemsetNode",
        "cuGraphInstantiate", "cuGraphUpload", "cuGraphLaunch"}) {
    BOOST_TEST_INFO_SCOPE(function);
    TwoStreams program;
    const Replayed replayed =
        replay(program.take_one(), [&] { plant(function, 1, CUDA_ERROR_INVALID_VALUE); });
    BOOST_TEST(replayed.record.refusal == "");
    BOOST_TEST((measured(replayed.record, ReplayWay::calls).status == Status::ok));
    const Measurement& graph = measured(replayed.record, ReplayWay::graph);
    BOOST_TEST((graph.status == Status::failed));
    BOOST_TEST(graph.message.find(function) != std::string::npos);
    BOOST_TEST(replayed.memory_is_back);
    BOOST_TEST(replayed.nothing_is_left);
  }
}

BOOST_AUTO_TEST_CASE(an_error_after_which_no_call_succeeds_is_said) {
  for (const char* function : {"cuLaunchKernel", "cuGraphLaunch"}) {
    BOOST_TEST_INFO_SCOPE(function);
    TwoStreams program;
    const Replayed replayed =
        replay(program.take_one(), [&] { plant(function, 3, CUDA_ERROR_ILLEGAL_ADDRESS, true); });
    BOOST_TEST(replayed.record.refusal.find("CUDA_ERROR_ILLEGAL_ADDRESS") != std::string::npos);
    BOOST_TEST(replayed.record.refusal.find("the application's memory could not be restored") !=
               std::string::npos);
    BOOST_TEST(!replayed.record.comparison);
  }
}

BOOST_AUTO_TEST_CASE(memory_comes_back_after_what_was_under_way) {
  Program program;
  const std::uint64_t a = program.device(bytes);
  const CUstream one = program.stream(), two = program.stream();
  Kernel& count = program.kernel(1, [](const Kernel::Words& words) { ++*numbers_at(words[0]); });
  const Taken taken = program.take([&](std::uint32_t) {
    program.launch(count, {a}, one);
    program.launch(count, {a + 8}, two);
    program.synchronize();
  });
  state().capacity = gibibyte;  // the snapshot is restored from the host
  const Replayed replayed =
      replay(taken, [] { plant("cuLaunchKernel", 2, CUDA_ERROR_INVALID_VALUE); });
  BOOST_TEST(replayed.record.refusal == "cuLaunchKernel: CUDA_ERROR_INVALID_VALUE");
  BOOST_TEST(replayed.memory_is_back);
}

BOOST_AUTO_TEST_CASE(allocations_of_an_iteration_are_released) {
  for (const char* function : {"none", "cuMemsetD32Async", "cuMemFree", "cuMemFreeAsync"}) {
    BOOST_TEST_INFO_SCOPE(function);
    Program program;
    const CUstream one = program.stream();
    const Taken taken = program.take([&](std::uint32_t) {
      const std::uint64_t scratch = program.allocate(bytes);
      static_cast<void>(program.allocate(bytes));  // kept
      program.memset(scratch, 1, 4, bytes, one);
      program.free(scratch);
      program.synchronize(one);
    });
    const Replayed replayed = replay(taken, [&] { plant(function, 1, CUDA_ERROR_INVALID_VALUE); });
    BOOST_TEST(replayed.nothing_is_left);
    BOOST_TEST(replayed.memory_is_back);
  }
}

BOOST_AUTO_TEST_CASE(no_memory_for_an_allocation_is_a_refusal) {
  Program program;
  program.device(bytes);
  const CUstream one = program.stream();
  const Taken taken = program.take([&](std::uint32_t) {
    const std::uint64_t scratch = program.allocate(bytes);
    program.memset(scratch, 1, 4, bytes, one);
    program.free(scratch);
    program.synchronize(one);
  });
  const Replayed replayed = replay(taken, [] { state().capacity = bytes; });
  BOOST_TEST(replayed.record.refusal == "cuMemAlloc: no memory");
  BOOST_TEST(replayed.nothing_is_left);
}

BOOST_AUTO_TEST_CASE(a_candidate_without_memory_leaves_the_others) {
  TwoStreams program;
  const Replayed replayed =
      replay(program.take_one(), [] { plant("cuGraphInstantiate", 1, CUDA_ERROR_OUT_OF_MEMORY); });
  BOOST_TEST((measured(replayed.record, ReplayWay::graph).status == Status::out_of_memory));
  BOOST_TEST((measured(replayed.record, ReplayWay::calls).status == Status::ok));
}

/// Each iteration reads what the one before left, and frees it behind its wait.
struct HandsOver : Program {
  explicit HandsOver(std::uint64_t threshold) : pool_(pool(threshold)) {
    memset(last_, 0, 4, bytes, one);
  }

  /// `note`: keeps the address of the memory that is left.
  Taken take_one(Kernel* note = nullptr) {
    return take([this, note](std::uint32_t) {
      const std::uint64_t next = allocate(bytes, pool_, one);
      if (note != nullptr) launch(*note, {stays, next}, one);
      launch(count, {next, last_}, one);
      copy(out, next, bytes, one);
      synchronize(one);
      free(std::exchange(last_, next), one);
    });
  }

  const std::uint64_t out = pinned(bytes), stays = device(bytes);
  const CUstream one = stream();
  std::set<std::uint64_t> counts;
  Kernel& count = kernel(2, [this](const Kernel::Words& words) {
    counts.insert(numbers_at(words[0])[0] = numbers_at(words[1])[0] + 1);
  });

 private:
  const CUmemoryPool pool_;
  std::uint64_t last_ = allocate(bytes, pool_, one);
};

BOOST_AUTO_TEST_CASE(memory_is_handed_to_the_next_pass) {
  for (const std::uint64_t threshold : {std::uint64_t{0}, UINT64_MAX}) {
    HandsOver program(threshold);
    const Taken taken = program.take_one();
    BOOST_REQUIRE(taken.iteration.inherited.size() == 1u);
    const std::uint64_t start = *program.counts.rbegin() - 1;
    program.counts.clear();
    const Replayed replayed = replay(taken);
    BOOST_TEST(replayed.record.refusal == "");
    BOOST_TEST(replayed.memory_is_back);
    BOOST_TEST(replayed.nothing_is_left);
    const Measurement& calls = measured(replayed.record, ReplayWay::calls);
    BOOST_TEST((calls.status == Status::ok && !calls.samples.empty()));
    BOOST_TEST(mismatches(calls.plan.facts, calls.evidence).empty());
    const Measurement& pool = measured(replayed.record, ReplayWay::pool);
    BOOST_TEST((pool.status == (threshold == 0 ? Status::ok : Status::not_supported)));
    // Passes go on from one another, and begin anew from what the iteration inherited.
    BOOST_TEST(*program.counts.begin() == start + 1);
    BOOST_TEST((program.counts.size() > 1u && *program.counts.rbegin() <= start + 10));
  }
}

BOOST_AUTO_TEST_CASE(a_new_candidate_inherits_what_the_application_left) {
  HandsOver program(0);
  const Taken taken = program.take_one();
  const std::uint64_t application = *program.counts.rbegin();
  program.counts.clear();
  const auto candidate = make_candidate(ReplayWay::calls, taken.iteration);
  for (int pass = 0; pass < 2; ++pass) issue(*candidate);
  BOOST_TEST((program.counts == std::set{application, application + 1}));
}

BOOST_AUTO_TEST_CASE(what_is_left_for_the_next_iteration_must_have_the_right_bytes) {
  HandsOver program(0);
  Taken taken = program.take_one();
  taken.iteration.inherited[0].content[0] ^= std::byte{1};
  const ReplayRecord record = replay(taken).record;
  BOOST_TEST(record.refusal.find("in handed-over memory 0") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(memory_that_other_memory_points_to_is_not_handed_on) {
  HandsOver program(0);
  Kernel& note =
      program.kernel(2, [](const Kernel::Words& words) { numbers_at(words[0])[3] = words[1] + 8; });
  const ReplayRecord record = replay(program.take_one(&note)).record;
  BOOST_TEST(record.refusal.ends_with(
      "it frees memory of an earlier iteration that is not known or that other memory points to"));
}

BOOST_AUTO_TEST_CASE(memory_that_points_into_itself_is_not_handed_on) {
  HandsOver program(0);
  Kernel& note =
      program.kernel(2, [](const Kernel::Words& words) { numbers_at(words[1])[3] = words[1]; });
  BOOST_TEST(program.take_one(&note).iteration.inherited.empty());
}

BOOST_AUTO_TEST_CASE(memory_of_an_earlier_iteration_needs_one_like_it) {
  Program program;
  const std::uint64_t out = program.pinned(bytes);
  const CUstream one = program.stream();
  std::vector<std::uint64_t> all;
  for (int i = 0; i < 60; ++i) all.push_back(program.allocate(bytes, nullptr, one));
  const Taken taken = program.take([&](std::uint32_t turn) {
    program.memset(all[turn], 1, 4, bytes, one);
    program.copy(out, all[turn], bytes, one);
    program.synchronize(one);
    program.free(all[turn], one);
  });
  const ReplayRecord record = replay(taken).record;
  BOOST_TEST(record.refusal ==
             "cuMemFreeAsync: it frees memory that an earlier iteration allocated, and leaves none "
             "of that size to the next one");
}

BOOST_AUTO_TEST_CASE(a_graph_that_the_driver_does_not_clone_is_launched_as_it_is) {
  Program program;
  const std::uint64_t a = program.device(bytes), out = program.pinned(bytes);
  const CUstream one = program.stream();
  Kernel& count = program.kernel(1, [](const Kernel::Words& words) { ++*numbers_at(words[0]); });
  program.memset(a, 0, 4, bytes, one);
  CUgraph graph = nullptr;
  CUgraphNode node = nullptr;
  CUgraphExec made = nullptr;
  std::uint64_t argument = a;
  void* parameters[] = {&argument};
  CUDA_KERNEL_NODE_PARAMS kernel{};
  kernel.func = count.function();
  kernel.kernelParams = parameters;
  TRILANE_DRIVER(cuGraphCreate, &graph, 0);
  TRILANE_DRIVER(cuGraphAddKernelNode, &node, graph, nullptr, 0, &kernel);
  TRILANE_DRIVER(cuGraphInstantiate, &made, graph, 0);
  const auto content = std::make_shared<ObservedGraph>();
  const auto decides = std::make_shared<ObservedNode>(), runs = std::make_shared<ObservedNode>();
  runs->call.kind = CallKind::kernel;
  runs->call.launch.function = reinterpret_cast<std::uint64_t>(count.handle());
  const auto words = std::as_bytes(std::span(&argument, 1));
  runs->arguments.assign(words.begin(), words.end());
  runs->call.launch.arguments = runs->arguments;
  runs->after = {0};
  content->number = 1;
  content->nodes = {decides, runs};
  const Taken taken = program.take([&](std::uint32_t) {
    program.launch_as_it_is(made, content, one);
    program.copy(out, a, bytes, one);
    program.synchronize(one);
  });
  const std::uint64_t instantiated = calls_of("cuGraphInstantiate");
  const Replayed replayed = replay(taken);
  BOOST_TEST(replayed.record.refusal == "");
  BOOST_TEST(replayed.memory_is_back);
  BOOST_TEST(replayed.nothing_is_left);
  BOOST_TEST((measured(replayed.record, ReplayWay::calls).status == Status::ok));
  BOOST_TEST(measured(replayed.record, ReplayWay::graph).message ==
             "cuGraphLaunch: its graph cannot be part of another, and is launched as it is");
  BOOST_TEST(calls_of("cuGraphInstantiate") == instantiated);
}

BOOST_AUTO_TEST_SUITE_END()
