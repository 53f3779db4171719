// Threads that are held back for a while.
#include "common/application/finding/thread_gate.hpp"

#include "common/application/iteration/observed_call.hpp"

BOOST_AUTO_TEST_SUITE(thread_gate)

constexpr double never = std::numeric_limits<double>::max();

void wait_until(auto condition) {
  while (!condition()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

BOOST_AUTO_TEST_CASE(threads_wait_until_it_opens_except_for_one) {
  ThreadGate gate;
  gate.pass(2);  // it is open
  gate.close(1, never);
  gate.pass(1);
  std::atomic<int> passed = 0;
  std::vector<std::thread> threads;
  for (std::uint64_t number : {2u, 3u}) {
    threads.emplace_back([&, number] {
      gate.pass(number);
      ++passed;
    });
  }
  wait_until([&] { return gate.waiting() == 2; });
  BOOST_TEST((passed == 0 && gate.is_closed()));
  gate.open();
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST((passed == 2 && gate.waiting() == 0u && !gate.was_forced()));
}

BOOST_AUTO_TEST_CASE(it_is_quiet_once_no_thread_has_arrived_for_a_while) {
  ThreadGate gate;
  gate.close(1, never);
  const double now_us = recorder_now_us();
  BOOST_TEST(!gate.is_quiet(now_us));
  BOOST_TEST(gate.is_quiet(now_us + 50e3));
  std::this_thread::sleep_for(std::chrono::milliseconds(15));
  gate.pass(1);  // does not arrive
  BOOST_TEST(gate.is_quiet(now_us + 21e3));
  std::thread thread([&] { gate.pass(2); });
  wait_until([&] { return gate.waiting() == 1; });
  const double arrived_us = recorder_now_us();
  BOOST_TEST(!gate.is_quiet(arrived_us));
  BOOST_TEST(gate.is_quiet(arrived_us + 50e3));
  gate.open();
  thread.join();
}

BOOST_AUTO_TEST_CASE(it_is_awaited_until_it_is_quiet_or_open) {
  ThreadGate gate;
  gate.await_quiet();  // it is open
  gate.close(0, never);
  gate.await_quiet();
  BOOST_TEST(gate.is_quiet(recorder_now_us()));
}

BOOST_AUTO_TEST_CASE(a_thread_that_waits_too_long_opens_it) {
  ThreadGate gate;
  gate.close(0, recorder_now_us() + 5e3);
  gate.pass(1);
  BOOST_TEST((gate.was_forced() && !gate.is_closed()));
  gate.close(0, recorder_now_us() - 1);
  gate.extend(never);
  BOOST_TEST(!gate.was_forced());
  std::thread thread([&] { gate.pass(1); });
  wait_until([&] { return gate.waiting() == 1; });
  gate.open();
  thread.join();
  BOOST_TEST(!gate.was_forced());
}

BOOST_AUTO_TEST_SUITE_END()
