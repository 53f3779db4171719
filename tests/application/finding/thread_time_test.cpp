// How a thread's time between its calls is split, and what listening costs, from fake stamps.
#include "common/application/finding/thread_time.hpp"

namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(thread_times)

/// A thread whose functions take 2 us each, and callbacks nothing unless stated.
struct Thread {
  ThreadTime time;
  std::uint32_t era = 1;
  double now_us = 100;

  void own_code(double us) { now_us += us; }
  void call(double listening_us = 0, bool kept = true) {
    begin();
    now_us += 2;
    end(listening_us, kept);
  }
  void begin() {
    BOOST_TEST(time.enters(era));
    time.begins(now_us);
  }
  void end(double listening_us = 0, bool kept = true) {
    BOOST_TEST(time.returns(era));
    const double end_us = now_us;
    now_us += listening_us;
    time.listened(kept, end_us, now_us);
  }
  void nested() {
    BOOST_TEST(!time.enters(era));
    BOOST_TEST(!time.returns(era));
  }
  /// Calls a function of the runtime, with 1 us before and 1 us after what is done in it.
  template <typename Inside>
  void runtime(std::uint32_t id, Inside inside) {
    time.runtime_enters(era, id, now_us);
    now_us += 1;
    inside();
    now_us += 1;
    time.runtime_returns(era, now_us);
  }
  void runtime(std::uint32_t id) {
    runtime(id, [&] { call(); });
  }
  /// Returns the time before the call that begins now.
  TimeBefore before() {
    begin();
    return time.before();
  }
};

BOOST_AUTO_TEST_CASE(before_a_first_call_nothing_is_known) {
  Thread thread;
  BOOST_TEST(!thread.before().outside_us.has_value());
}

BOOST_AUTO_TEST_CASE(between_calls_to_the_driver_all_time_is_the_applications) {
  Thread thread;
  thread.call(0.5);
  thread.own_code(7);
  const TimeBefore before = thread.before();
  BOOST_TEST((before.outside_us == 7.0 && before.outside == 1u));
  BOOST_TEST((before.listener_us == 0.5 && before.others == 0u));
  BOOST_TEST((thread.time.begin_us() == thread.now_us && thread.time.runtime() == 0u));
}

BOOST_AUTO_TEST_CASE(functions_of_the_runtime_are_not_the_applications_code) {
  Thread thread;
  thread.runtime(5);
  thread.own_code(7);
  thread.runtime(6, [] {});  // without a call to the driver
  thread.own_code(3);
  thread.runtime(5, [&] {
    const TimeBefore before = thread.before();
    BOOST_TEST((before.outside_us == 10.0 && before.outside == 2u));
    BOOST_TEST(thread.time.runtime() == 5u);
    thread.end();
    thread.own_code(20);  // of the runtime
    BOOST_TEST((thread.before().outside_us == 0.0 && thread.time.before().outside == 0u));
    thread.end();
  });
}

BOOST_AUTO_TEST_CASE(the_outermost_function_of_the_runtime_counts) {
  Thread thread;
  thread.runtime(5, [&] {
    thread.runtime(6);
    BOOST_TEST(thread.time.runtime() == 5u);
    BOOST_TEST((thread.before().outside_us == 0.0));
    thread.end();
  });
  BOOST_TEST(thread.time.runtime() == 0u);
}

BOOST_AUTO_TEST_CASE(calls_that_are_not_kept_add_up) {
  Thread thread;
  thread.call(0.5);
  for (int i = 0; i < 3; ++i) {
    thread.own_code(1);
    thread.call(0.25, false);
  }
  thread.own_code(1);
  const TimeBefore before = thread.before();
  BOOST_TEST((before.others == 3u && before.listener_us == 1.25));
  BOOST_TEST((before.outside_us == 4.0 && before.outside == 4u));
  thread.end();
  BOOST_TEST((thread.before().others == 0u && thread.time.before().listener_us == 0));
}

BOOST_AUTO_TEST_CASE(calls_within_others_are_counted_with_them) {
  Thread thread;
  thread.begin();
  thread.nested();
  thread.nested();
  BOOST_TEST(thread.time.inside() == 2u);
  thread.end(0, false);
  BOOST_TEST((thread.before().others == 3u && thread.time.inside() == 0u));
}

BOOST_AUTO_TEST_CASE(what_was_entered_in_an_earlier_era_may_have_returned_unheard) {
  Thread thread;
  thread.begin();  // and never ends
  ++thread.era;
  BOOST_TEST(!thread.time.returns(thread.era));
  thread.call();
  thread.time.runtime_enters(thread.era, 5, thread.now_us);  // never returns
  ++thread.era;
  thread.own_code(4);
  BOOST_TEST(thread.time.enters(thread.era));
  BOOST_TEST(thread.time.runtime() == 0u);
}

/// The runtime's functions call back starting with the return of a call in one of them.
BOOST_AUTO_TEST_CASE(a_function_of_the_runtime_may_return_that_was_not_heard_of) {
  Thread thread;
  thread.call();
  ++thread.era;
  thread.own_code(30);  // of the runtime
  thread.time.runtime_returns(thread.era, thread.now_us);
  thread.own_code(7);
  thread.runtime(5, [&] { BOOST_TEST((thread.before().outside_us == 7.0)); });
}

BOOST_AUTO_TEST_CASE(the_function_of_the_runtime_that_is_under_way_is_not_always_known) {
  ThreadTime time;
  BOOST_TEST(!time.runtime_now());
  time.runtime_returns(1, 1);  // entered unheard
  BOOST_TEST(time.runtime_now().value() == 0u);
  time.runtime_enters(1, 5, 2);
  BOOST_TEST(time.runtime_now().value() == 5u);
  time.runtime_enters(1, 6, 3);
  BOOST_TEST(!time.runtime_now());
  time.runtime_returns(1, 4);
  BOOST_TEST(time.runtime_now().value() == 5u);
  BOOST_TEST(time.enters(2));  // another era, still within
  BOOST_TEST(!time.runtime_now());
  time.runtime_returns(2, 5);
  BOOST_TEST(time.runtime_now().value() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(listening_samples)

/// Returns the costs for calls that each begin `between` after the previous one was left, and take
/// `length`. Every tenth is interrupted, and the first ten are slow.
std::optional<ListeningCosts> costs(std::size_t calls, double between, double length,
                                    double untraced) {
  ListeningSamples samples(calls);
  double now_us = 1e9;
  for (std::size_t i = 0; i < calls; ++i) {
    const double slow = i < 10 ? 2 : 0, interrupted = i % 10 == 7 ? 50 : 0;
    samples.begins(now_us += between + slow + interrupted);
    const double end_us = now_us += length + slow + interrupted;
    samples.ends(end_us, now_us += 0.02);
  }
  return samples.costs(untraced);
}

BOOST_AUTO_TEST_CASE(costs_are_medians_of_warm_calls) {
  const ListeningCosts found = costs(40, 0.125, 0.25, 0.05).value();
  BOOST_TEST(found.between_us == 0.125, tt::tolerance(1e-5));
  BOOST_TEST(found.within_us == 0.2, tt::tolerance(1e-5));
}

BOOST_AUTO_TEST_CASE(a_call_that_is_no_longer_costs_nothing) {
  BOOST_TEST(costs(100, 0.125, 0.05, 0.25).value().within_us == 0);
}

BOOST_AUTO_TEST_CASE(where_few_or_no_calls_called_back_nothing_is_known) {
  BOOST_TEST(!costs(39, 0.125, 0.25, 0.05));
  BOOST_TEST(!ListeningSamples(400).costs(0.05));
}

BOOST_AUTO_TEST_CASE(more_calls_than_expected_take_no_memory) {
  ListeningSamples samples(40);
  for (int i = 0; i < 80; ++i) {
    samples.begins(i);
    samples.ends(i + 0.25, i + 0.5);
  }
  BOOST_TEST(samples.costs(0).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
