#include <atomic>
#include <boost/test/unit_test.hpp>

#include "common/measure/gpu/recording.hpp"
#include "tests/device/simulator/runtime/rules.hpp"

using namespace trilane;
using namespace trilane::simulator::rules;
using trilane::simulator::Hazard;

BOOST_AUTO_TEST_SUITE(rules_host_functions)

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

// Runtime API, cudaLaunchHostFunc: the function must not call the API; cudaErrorNotPermitted may be
// the answer, and here always is.
BOOST_AUTO_TEST_CASE(a_host_function_may_not_call_the_api) {
  start();
  const Stream stream = make_stream();
  cudaError_t code = cudaSuccess;
  const auto call_api = [](void* result) {
    void* memory = nullptr;
    *static_cast<cudaError_t*>(result) = cudaMalloc(&memory, 4);
  };
  check(cudaLaunchHostFunc(stream.get(), call_api, &code));
  check(cudaStreamSynchronize(stream.get()));
  BOOST_TEST(code == cudaErrorNotPermitted);
  BOOST_TEST(found() == name_of(Hazard::api_in_host_function));
}

// The same: it must not wait for work that does not have to run before it. Then nothing after it
// ever runs. On a GPU this hangs; here the wait for it ends in time with an error that stays.
BOOST_AUTO_TEST_CASE(a_host_function_that_waits_for_later_work_is_found) {
  auto settings = usual();
  settings.patience_s = 0.05;
  start(settings);
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream));
  static std::atomic<bool> later_work_has_run{false};
  const auto wait_for_later_work = [](void*) { later_work_has_run.wait(false); };
  check(cudaLaunchHostFunc(stream, wait_for_later_work, nullptr));
  mark('a', stream);
  BOOST_TEST(cudaStreamSynchronize(stream) == cudaErrorLaunchTimeout);
  BOOST_TEST(found() == name_of(Hazard::never_finishes));
  BOOST_TEST(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
  later_work_has_run = true;  // releases the thread that is still waiting
  later_work_has_run.notify_all();
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

BOOST_AUTO_TEST_SUITE_END()
