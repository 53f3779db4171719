#include <atomic>
#include <boost/test/unit_test.hpp>
#include <thread>

#include "common/measure/gpu/runtime/gated_timer.hpp"
#include "tests/device/simulator/runtime/rules.hpp"

using namespace trilane;
using namespace trilane::simulator::rules;
using trilane::simulator::Hazard;
using trilane::simulator::machine;

BOOST_AUTO_TEST_SUITE(host_function)

namespace {

void note_letter(void* letter) { note(*static_cast<const char*>(letter)); }

void launch(const Stream& stream, cudaHostFn_t function, void* data) {
  check(cudaLaunchHostFunc(stream.get(), function, data));
}

}  // namespace

// Runtime API, Execution Control, cudaLaunchHostFunc.

BOOST_AUTO_TEST_CASE(it_runs_on_a_thread_of_its_own) {
  start();
  const Stream stream = make_stream();
  std::thread::id thread = std::this_thread::get_id();
  launch(
      stream, [](void* id) { *static_cast<std::thread::id*>(id) = std::this_thread::get_id(); },
      &thread);
  check(cudaStreamSynchronize(stream.get()));
  BOOST_TEST((thread != std::this_thread::get_id()));
}

BOOST_AUTO_TEST_CASE(it_may_not_call_the_runtime) {
  start();
  const Stream stream = make_stream();
  cudaError_t codes[] = {cudaSuccess, cudaSuccess, cudaSuccess};
  const auto function = [](void* data) {
    auto* const code = static_cast<cudaError_t*>(data);
    int device = 0;
    code[0] = cudaGetDevice(&device);
    code[1] = cudaDeviceSynchronize();
    code[2] = cudaGetLastError();
  };
  launch(stream, function, codes);
  const std::size_t calls = machine().calls.size();
  check(cudaStreamSynchronize(stream.get()));
  for (const cudaError_t code : codes) BOOST_TEST(code == cudaErrorNotPermitted);
  BOOST_TEST(machine().calls.size() == calls + 1);
  const auto& reports = machine().hazards.reports();
  BOOST_TEST_REQUIRE(reports.size() == 3);
  BOOST_TEST((reports[1].hazard == Hazard::api_in_host_function));
  BOOST_TEST(reports[1].text.starts_with("cudaDeviceSynchronize in host function"));
}

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
  launch(stream, forever, nullptr);
  mark('b', stream.get());
  BOOST_TEST(cudaStreamSynchronize(stream.get()) == cudaErrorLaunchTimeout);
  BOOST_TEST(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
  BOOST_TEST(trace() == "a");
  BOOST_TEST(found() == name_of(Hazard::never_finishes));
  stream.release();  // nothing can be released on a lost device
  start();           // the next machine is not delayed
  check(cudaDeviceSynchronize());
  release = true;
  while (!ended) std::this_thread::yield();
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

BOOST_AUTO_TEST_CASE(who_keeps_asking_sees_it_return) {
  start();
  const Stream stream = make_stream();
  char letter = 'h';
  launch(stream, note_letter, &letter);
  while (cudaStreamQuery(stream.get()) == cudaErrorNotReady) std::this_thread::yield();
  BOOST_TEST(trace() == "h");
}

BOOST_AUTO_TEST_CASE(none_at_all_is_refused) {
  start();
  const Stream stream = make_stream();
  BOOST_TEST(cudaLaunchHostFunc(stream.get(), nullptr, nullptr) == cudaErrorInvalidValue);
}

BOOST_AUTO_TEST_SUITE_END()
