#include <sys/wait.h>
#include <unistd.h>

#include <atomic>

#include "common/measure/gpu/recording.hpp"
#include "common/measure/gpu/runtime/gated_timer.hpp"
#include "tests/device/simulator/runtime/rules.hpp"

namespace trilane::simulator::rules {

BOOST_FIXTURE_TEST_SUITE(rules_host_functions, Fresh)

namespace {

void note_letter(void* letter) { note(*static_cast<const char*>(letter)); }

/// Enqueues a host function that adds `letter`, which must outlive it, to the trace.
void note_on(cudaStream_t stream, const char& letter) {
  check(cudaLaunchHostFunc(stream, note_letter, const_cast<char*>(&letter)));
}

constexpr char h = 'h', g = 'g';

}  // namespace

// Runtime API, Execution Control, cudaLaunchHostFunc: the function is called after enqueued work,
// and later work waits for it.
TRILANE_OUTCOMES(a_host_function_takes_its_turn_in_the_stream, "-ahb") {
  const Stream stream = make_stream();
  mark('a', stream.get());
  note_on(stream.get(), h);
  mark('b', stream.get());
  const std::string then = trace();
  check(cudaStreamSynchronize(stream.get()));
  return then + trace();
}

// The same: without an order that is mandated, host functions run in any order.
TRILANE_OUTCOMES(host_functions_of_different_streams_run_in_any_order, "gh hg") {
  const Stream first = make_stream(), second = make_stream();
  note_on(first.get(), g);
  note_on(second.get(), h);
  return trace_at_end();
}

// The same: its start counts as a wait for an event just before it, so the earlier work of joined
// streams is complete too.
TRILANE_OUTCOMES(a_host_function_comes_after_joined_streams, "ah") {
  const Stream stream = make_stream(), lane = make_stream();
  mark('a', lane.get());
  order(lane.get(), stream.get());
  note_on(stream.get(), h);
  return trace_after(stream);
}

// Programming Guide 4.2.1.1, Node Types: a captured host function is a node, and is called at each
// launch.
TRILANE_OUTCOMES(a_captured_host_function_runs_at_each_launch, "-ahah") {
  const Stream stream = make_stream();
  const Graph graph = capture([](cudaStream_t origin) {
    mark('a', origin);
    note_on(origin, h);
  });
  const GraphExec executable = instantiate(graph.get());
  const std::string then = trace();
  launch(executable, stream);
  launch(executable, stream);
  check(cudaStreamSynchronize(stream.get()));
  return then + trace();
}

// Runtime API, cudaLaunchHostFunc: the function is not called when the context has run into an
// error.
TRILANE_OUTCOMES(a_host_function_is_not_called_after_an_error, "-") {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream));
  fail(cudaErrorIllegalAddress, stream);
  note_on(stream, h);
  BOOST_TEST(cudaStreamSynchronize(stream) == cudaErrorIllegalAddress);
  cudaDeviceSynchronize();
  return trace();
}

BOOST_FIXTURE_TEST_CASE(it_runs_on_a_thread_of_its_own, OneStream) {
  std::thread::id thread = std::this_thread::get_id();
  const auto note_thread = [](void* id) {
    *static_cast<std::thread::id*>(id) = std::this_thread::get_id();
  };
  check(cudaLaunchHostFunc(stream.get(), note_thread, &thread));
  check(cudaStreamSynchronize(stream.get()));
  BOOST_TEST((thread != std::this_thread::get_id()));
}

// Runtime API, cudaLaunchHostFunc: the function must not call the API; cudaErrorNotPermitted may be
// the answer, and here always is.
BOOST_FIXTURE_TEST_CASE(it_may_not_call_the_runtime, OneStream) {
  cudaError_t codes[] = {cudaSuccess, cudaSuccess, cudaSuccess};
  const auto function = [](void* data) {
    auto* const code = static_cast<cudaError_t*>(data);
    int device = 0;
    code[0] = cudaGetDevice(&device);
    code[1] = cudaDeviceSynchronize();
    code[2] = cudaGetLastError();
  };
  check(cudaLaunchHostFunc(stream.get(), function, codes));
  const std::size_t calls = machine().calls.size();
  check(cudaStreamSynchronize(stream.get()));
  for (const cudaError_t code : codes) BOOST_TEST(code == cudaErrorNotPermitted);
  BOOST_TEST(machine().calls.size() == calls + 1);
  const auto& reports = machine().hazards.reports();
  BOOST_TEST_REQUIRE(reports.size() == 3);
  BOOST_TEST((reports[1].hazard == Hazard::api_in_host_function));
  BOOST_TEST(reports[1].text.starts_with("cudaDeviceSynchronize in host function"));
}

// The same: it must not wait for work that does not have to run before it. Then nothing after it
// ever runs. On a GPU this hangs; here the wait for it ends in time with an error that stays.
BOOST_AUTO_TEST_CASE(one_that_does_not_return_ends_the_wait_and_is_reported) {
  auto settings = usual();
  settings.patience_s = 0.05;
  start(settings);
  // The thread is left behind, so what it uses stays.
  static std::atomic<bool> release = false, ended = false;
  Stream stream = make_stream();
  mark('a', stream.get());
  const auto forever = [](void*) {
    while (!release) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ended = true;
  };
  check(cudaLaunchHostFunc(stream.get(), forever, nullptr));
  mark('b', stream.get());
  BOOST_TEST(cudaStreamSynchronize(stream.get()) == cudaErrorLaunchTimeout);
  BOOST_TEST(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
  BOOST_TEST(trace() == "a");
  BOOST_TEST(found() == name_of(Hazard::never_finishes));
  stream.release();  // nothing can be released on a lost device
  start();           // the next machine is not delayed
  const Stream next = make_stream();
  note_on(next.get(), h);
  check(cudaDeviceSynchronize());
  BOOST_TEST(trace() == "h");
  release = true;
  while (!ended) std::this_thread::yield();
}

// A process that forks has only the threads that it started itself; its child has one of its own.
BOOST_FIXTURE_TEST_CASE(its_thread_ends_before_a_fork, OneStream) {
  const auto threads = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
  };
  const auto run = [&] {
    note_on(stream.get(), h);
    check(cudaStreamSynchronize(stream.get()));
  };
  run();
  const auto before = threads();
  const pid_t child = fork();
  if (child == 0) {
    run();
    _exit(trace() == "hh" ? 0 : 1);
  }
  BOOST_TEST(threads() == before - 1);
  int status = -1;
  BOOST_TEST(waitpid(child, &status, 0) == child);
  BOOST_TEST(status == 0);
  run();
  BOOST_TEST(trace() == "hh");
}

// A query returns at once: it must not wait for a gate that this very thread opens.
BOOST_AUTO_TEST_CASE(a_query_does_not_wait_for_one) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    start(usual(seed));
    const Stream stream = make_stream();
    Gate gate(120);
    gate.close(stream.get());
    mark('a', stream.get());
    BOOST_TEST(cudaStreamQuery(stream.get()) == cudaErrorNotReady);
    BOOST_TEST(gate.open());
    BOOST_TEST(trace_after(stream) == "a");
  }
}

BOOST_FIXTURE_TEST_CASE(who_keeps_asking_sees_it_return, OneStream) {
  note_on(stream.get(), h);
  while (cudaStreamQuery(stream.get()) == cudaErrorNotReady) std::this_thread::yield();
  BOOST_TEST(trace() == "h");
}

BOOST_FIXTURE_TEST_CASE(none_at_all_is_refused, OneStream) {
  BOOST_TEST(cudaLaunchHostFunc(stream.get(), nullptr, nullptr) == cudaErrorInvalidValue);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator::rules
