// A tracer's records of the simulated device, call by call, and when it hands them over.
#include "common/base/text/exit_code.hpp"
#include "tests/device/simulator/runtime/built_kit.hpp"
#include "tests/device/simulator/timing/tracer_kit.hpp"

namespace trilane::simulator::rules {

BOOST_FIXTURE_TEST_SUITE(tracer, Fresh)

namespace {

/// Returns a device on which a memset takes 2 us on the host and 10 on the device, and little else
/// takes any time.
Settings slow_memset() {
  Settings settings;
  settings.profile.memory_bytes = mebibyte;
  settings.profile.engine.duration[index_of(Kind::memset)] = {{0, 10}};
  settings.profile.calls_us = {{"cudaMemsetAsync", 2}, {"cudaEventRecord", 3}};
  return settings;
}

using Times = std::vector<double>;

template <typename Record>
Times starts_and_ends(const std::vector<Record>& records) {
  Times times;
  for (const Record& record : records) {
    times.push_back(record.start_us);
    times.push_back(record.end_us);
  }
  return times;
}

const Label one{.chunk = 3, .lane = 1};

}  // namespace

BOOST_AUTO_TEST_CASE(calls_and_operations_have_the_times_of_the_virtual_clocks) {
  const Traced traced(slow_memset());
  traced.clear();
  traced.clear();
  const TraceRecords records = traced.wait_and_take();
  BOOST_TEST(starts_and_ends(records.calls) == (Times{0, 2, 2, 4, 4, 22}));
  BOOST_TEST(starts_and_ends(records.operations) == (Times{2, 12, 12, 22}));
  BOOST_TEST(traced.tracer->now_us() == 22);
  BOOST_TEST(records.lost == 0u);
}

BOOST_AUTO_TEST_CASE(an_operation_tells_what_it_was) {
  const Traced traced;
  const PinnedBuffer host = make_pinned_buffer(64);
  traced.tracer->take();
  const auto copy = [&](void* to, const void* from, std::size_t bytes) {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, traced.stream.get()));
  };
  copy(traced.memory.get(), host.get(), 48);
  traced.clear(32);
  copy(traced.memory.get() + 32, traced.memory.get(), 16);
  mark('a', traced.stream.get());
  copy(host.get(), traced.memory.get(), 8);
  const TraceRecords records = traced.wait_and_take();
  struct Expected {
    Activity activity;
    const char* name;
    std::uint64_t bytes;
    bool copy_engine;
  };
  const Expected wanted[]{{Activity::copy_in, "copy in", 48, true},
                          {Activity::memset, "memset", 32, false},
                          {Activity::copy_in, "copy in", 16, false},
                          {Activity::kernel, "mark", 0, false},
                          {Activity::copy_out, "copy out", 8, true}};
  BOOST_TEST_REQUIRE(records.operations.size() == std::size(wanted));
  for (std::size_t i = 0; i < std::size(wanted); ++i) {
    const TracedOperation& got = records.operations[i];
    BOOST_TEST_CONTEXT(i) {
      BOOST_TEST((got.activity == wanted[i].activity));
      BOOST_TEST(got.name == wanted[i].name);
      BOOST_TEST(got.bytes == wanted[i].bytes);
      BOOST_TEST(got.copy_engine == wanted[i].copy_engine);
      BOOST_TEST(got.call == records.calls[i].id);
      BOOST_TEST(got.stream == traced.stream->number);
      BOOST_TEST(got.graph_node == 0u);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_activity_is_left_out) {
  const Traced traced;
  const Graph graph = make_graph();
  const cudaGraphNode_t node = add_mark(graph, {}, 'a');
  cudaGraphNode_t empty = nullptr;
  check(cudaGraphAddEmptyNode(&empty, graph.get(), &node, 1));
  launch(instantiate(graph.get()), traced.stream);
  void* memory = nullptr;
  check(cudaMallocAsync(&memory, 64, traced.stream.get()));
  check(cudaLaunchHostFunc(
      traced.stream.get(), [](void*) {}, nullptr));
  check(cudaFreeAsync(memory, traced.stream.get()));
  BOOST_TEST(names_of(traced.wait_and_take().operations) == "mark");
}

BOOST_AUTO_TEST_CASE(every_call_is_there_with_its_thread_and_label) {
  const Traced traced;
  const auto fail = [] {
    const Labelled labelled(one);
    BOOST_TEST(cudaSetDevice(7) == cudaErrorInvalidDevice);
  };
  fail();
  cudaGetLastError();
  std::thread(fail).join();
  int version = 0;
  cudaRuntimeGetVersion(&version);
  const auto calls = traced.tracer->take().calls;
  BOOST_TEST(names_of(calls) ==
             "cudaSetDevice, cudaGetLastError, cudaSetDevice, cudaRuntimeGetVersion");
  BOOST_TEST((calls[0].label == one));
  BOOST_TEST((calls[1].label == Label{}));
  BOOST_TEST((calls[2].label == one));
  BOOST_TEST(calls[0].thread == calls[1].thread);
  BOOST_TEST(calls[0].thread != calls[2].thread);
  for (std::size_t i = 1; i < calls.size(); ++i) BOOST_TEST(calls[i - 1].id < calls[i].id);
}

BOOST_AUTO_TEST_CASE(what_was_handed_over_is_forgotten) {
  const Traced traced;
  traced.clear();
  const TraceRecords first = traced.wait_and_take(), second = traced.tracer->take();
  BOOST_TEST(first.operations.size() == 1u);
  BOOST_TEST(second.calls.empty());
  BOOST_TEST(second.operations.empty());
}

BOOST_AUTO_TEST_CASE(what_is_under_way_comes_when_it_is_finished) {
  const Traced traced;
  traced.clear();
  const TraceRecords early = traced.tracer->take();
  BOOST_TEST(early.operations.empty());
  const TraceRecords records = traced.wait_and_take();
  BOOST_TEST_REQUIRE(records.operations.size() == 1u);
  BOOST_TEST(records.operations[0].call == early.calls[0].id);
}

BOOST_AUTO_TEST_CASE(a_new_tracer_sees_nothing_of_what_came_before_it) {
  Traced traced;
  traced.clear();
  traced.tracer.reset();
  traced.clear();
  traced.tracer = start_tracing();
  const TraceRecords records = traced.wait_and_take();
  BOOST_TEST(records.operations.empty());
  BOOST_TEST(names_of(records.calls) == "cudaStreamSynchronize");
}

BOOST_AUTO_TEST_CASE(one_lives_at_a_time) {
  Traced traced;
  BOOST_CHECK_THROW(start_tracing(), NotPossible);
  traced.clear();  // the refused one has left no trace
  BOOST_TEST(names_of(traced.wait_and_take().operations) == "memset");
  traced.tracer.reset();
  BOOST_CHECK_NO_THROW(start_tracing());
}

BOOST_AUTO_TEST_CASE(a_machine_that_is_started_over_is_not_traced) {
  auto tracer = start_tracing();
  start();
  const auto next = start_tracing();
  make_stream();
  BOOST_TEST(tracer->take().calls.empty());
  tracer.reset();  // the next one keeps working
  check(cudaDeviceSynchronize());
  BOOST_TEST(names_of(next->take().calls) ==
             "cudaStreamCreateWithFlags, cudaStreamDestroy, cudaDeviceSynchronize");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator::rules
