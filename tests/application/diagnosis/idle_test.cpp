// How host and device spend an iteration, and the critical path.
#include "common/application/diagnosis/time_spent.hpp"
#include "tests/application/diagnosis/recorded.hpp"

namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(time_spent)

using R = Recorded;
using P = PathKind;
using enum TimeUse;

/// An iteration of 100 us: two kernels of 20 us, a wait.
///   host: launch [0, 5], code, launch [10, 15], wait [15, 62], code
///   device: [8, 28], [30, 50] behind the first
Recorded two_kernels(std::uint32_t second_stream = R::free_one) {
  Recorded a;
  a.kernel(R::free_one, {});
  a.at(0, 5, 8, 20);
  a.kernel(second_stream, {});
  a.at(10, 5, 30, 20);
  a.synchronize();
  a.at(15, 47);
  a.recording.iteration_us = {99, 100, 130};
  return a;
}

DeviceUse device(const Recorded& a) { return device_use(Scheduled(a).schedule); }

std::vector<PathPart> path(const Recorded& a) { return critical_path(Scheduled(a).schedule); }

/// Checks the times of parts of these kinds.
template <typename Kind>
void test_us(const auto& parts, std::initializer_list<std::pair<Kind, double>> wanted) {
  for (const auto& [kind, us] : wanted) {
    BOOST_TEST_INFO(name_of(kind));
    BOOST_TEST(us_of(parts, kind) == us, tt::tolerance(1e-9));
  }
}

/// An iteration of 100 us in which the host spends 20 to 60 in one call and launches at 60.
TimeUse cause(auto add_call) {
  Recorded a;
  add_call(a);
  a.at(20, 40);
  a.kernel(R::free_one, {});
  a.at(60, 0, 60, 60);
  a.recording.iteration_us = {100};
  const DeviceUse use = device(a);
  BOOST_TEST(use.idle_us == 40, tt::tolerance(1e-9));
  BOOST_TEST(use.causes.size() == 1u);
  return use.causes.at(0).use;
}

BOOST_AUTO_TEST_CASE(the_gaps_add_up_to_the_idle_time_and_have_their_causes) {
  const DeviceUse use = device(two_kernels());
  BOOST_TEST(use.busy_us == 40, tt::tolerance(1e-9));
  BOOST_TEST(use.idle_us == 60, tt::tolerance(1e-9));
  BOOST_TEST(us_of(use.causes, stream_order) == 2, tt::tolerance(1e-9));    // 28 to 30
  BOOST_TEST(us_of(use.causes, waiting) == 12, tt::tolerance(1e-9));        // 50 to 62
  BOOST_TEST(us_of(use.causes, own_code) == 38, tt::tolerance(1e-9));       // 62 to 100
  BOOST_TEST(us_of(use.causes, launching) == 5, tt::tolerance(1e-9));       // 100 to 105
  BOOST_TEST(us_of(use.causes, launch_latency) == 3, tt::tolerance(1e-9));  // 105 to 108
  BOOST_TEST((use.causes.at(0).use == own_code));
  BOOST_TEST(use.causes.at(0).share == 0.38, tt::tolerance(1e-9));
  BOOST_TEST(use.causes.at(0).calls.at(0).name == "after cuCtxSynchronize");
}

BOOST_AUTO_TEST_CASE(a_gap_names_what_the_host_was_in) {
  BOOST_TEST((cause([](Recorded& a) { a.add(CallKind::allocate, "cuMemAlloc"); }) == allocating));
  BOOST_TEST((cause([](Recorded& a) { a.add(CallKind::free, "cuMemFree"); }) == allocating));
  BOOST_TEST((cause([](Recorded& a) { a.synchronize(); }) == waiting));
  BOOST_TEST((cause([](Recorded& a) { a.copy(1, R::pageable, R::device); }) == blocking_copy));
  BOOST_TEST((cause([](Recorded& a) { a.copy(1, R::pinned, R::device); }) == launching));
  BOOST_TEST((cause([](Recorded& a) { a.copy(1, R::pinned, R::device).synchronous = true; }) ==
              blocking_copy));
  BOOST_TEST((cause([](Recorded& a) { a.record(1, 1); }) == launching));
  BOOST_TEST((cause([](Recorded& a) { a.add(CallKind::other, "cuFoo"); }) == other_calls));
}

BOOST_AUTO_TEST_CASE(the_runtime_s_code_counts_for_the_call_after_it) {
  Recorded a = two_kernels();
  a.recording.calls[0].runtime_us = 1;  // the iteration begins with the call, so there is no
  a.recording.calls[1].runtime_us = 2;
  a.recording.calls[2].runtime_us = 4;  // time before it
  const auto host = host_use(Scheduled(a).schedule);
  test_us<TimeUse>(host, {{own_code, 3 + 38}, {launching, 5 + 2 + 5}, {waiting, 47}});
  BOOST_TEST((host.at(2).use == launching && host.at(2).count == 2u));
}

BOOST_AUTO_TEST_CASE(an_order_to_another_stream_is_told_by_what_makes_it) {
  Recorded event;
  event.kernel(R::free_one, {});
  event.at(0, 1, 5, 20);
  event.record(1, R::free_one);
  event.at(1, 1);
  event.wait(1, R::free_two);
  event.at(2, 1);
  event.kernel(R::free_two, {});
  event.at(3, 1, 28, 20);
  event.recording.iteration_us = {48};
  BOOST_TEST(us_of(device(event).causes, event_order) == 3, tt::tolerance(1e-9));

  Recorded legacy;
  legacy.kernel(R::blocking, {});
  legacy.at(0, 1, 5, 20);
  legacy.kernel(R::legacy, {});
  legacy.at(3, 1, 29, 20);
  legacy.recording.iteration_us = {49};
  BOOST_TEST(us_of(device(legacy).causes, legacy_order) == 4, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_host_that_issues_too_slowly_is_what_the_device_waits_for) {
  // Each kernel starts 10 us after its call, 9 us after the previous one has ended.
  Recorded a;
  for (const double start_us : {0.0, 12.0, 24.0}) {
    a.kernel(R::free_one, {});
    a.at(start_us, 4, start_us + 10, 3);
  }
  a.recording.iteration_us = {36};
  const DeviceUse use = device(a);
  BOOST_TEST(use.idle_us == 27, tt::tolerance(1e-9));
  test_us<TimeUse>(use.causes,
                   {{own_code, 24}, {launching, 3}, {stream_order, 0}, {launch_latency, 0}});

  a.at(24, 4, 36, 1);  // the last of them takes 2 us longer to start
  BOOST_TEST(us_of(device(a).causes, launch_latency) == 2, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(operations_that_run_into_the_next_iteration_are_busy_there) {
  Recorded a;
  a.kernel(R::free_one, {});
  a.at(0, 5, 250, 60);  // issued two iterations ahead
  a.recording.iteration_us = {100};
  const DeviceUse use = device(a);
  BOOST_TEST(use.busy_us == 60, tt::tolerance(1e-9));
  BOOST_TEST(us_of(use.causes, stream_order) == 40, tt::tolerance(1e-9));
  a.at(0, 5, 250, 100);
  BOOST_TEST(device(a).idle_us == 0, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(an_operation_of_many_iterations_counts_a_few_times) {
  Recorded a;
  a.kernel(R::free_one, {});
  a.recording.iteration_us = {100};
  for (const double us : {0.0, 250.0, 1e9}) {
    a.at(0, 5, 8, us);
    BOOST_TEST(Scheduled(a).schedule.steady_runs().size() <= 5u);
    BOOST_TEST(device(a).busy_us == std::min(us, 100.0), tt::tolerance(1e-9));
  }
}

BOOST_AUTO_TEST_CASE(a_gap_is_explained_once_where_an_operation_seems_to_start_before_its_call) {
  for (const double start_us : {-50.0, -1e7}) {
    Recorded a;
    a.kernel(R::free_one, {});
    a.at(0, 5, start_us, 20);
    a.recording.iteration_us = {100};
    const DeviceUse use = device(a);
    BOOST_TEST(sum(use.causes) == use.idle_us, tt::tolerance(1e-6));
  }
}

BOOST_AUTO_TEST_CASE(a_segment_without_an_iteration_ends_with_its_last_call) {
  Recorded a = two_kernels();
  a.recording.found = Found::none;
  const DeviceUse use = device(a);
  BOOST_TEST(use.busy_us + use.idle_us == 62, tt::tolerance(1e-9));
  BOOST_TEST(us_of(use.causes, own_code) == 0);
}

BOOST_AUTO_TEST_CASE(the_host_s_time_is_whole) {
  const Recorded a = two_kernels();
  const auto shares = host_use(Scheduled(a).schedule);
  test_us<TimeUse>(shares, {{waiting, 47}, {launching, 10}, {own_code, 43}});
}

BOOST_AUTO_TEST_CASE(the_critical_path_goes_through_a_wait_to_the_device_and_back_to_the_launch) {
  const auto parts = path(two_kernels());
  BOOST_TEST(sum(parts) == 100, tt::tolerance(1e-9));
  test_us<PathKind>(parts, {{P::own_code, 38},
                            {P::wait_return, 12},
                            {P::kernel, 40},
                            {P::order, 2},
                            {P::launch_latency, 3},
                            {P::host_call, 5}});
  BOOST_TEST((parts.at(0).kind == PathKind::kernel));
  BOOST_TEST(parts.at(0).name == "kernel scale");
  BOOST_TEST(parts.at(0).count == 2u);
}

BOOST_AUTO_TEST_CASE(a_busy_engine_holds_an_operation_up) {
  const auto parts = path(two_kernels(R::free_two));
  test_us<PathKind>(parts, {{P::engine, 2}, {P::order, 0}});
}

BOOST_AUTO_TEST_CASE(the_critical_path_is_the_device_s_where_the_host_runs_ahead) {
  Recorded a;
  a.kernel(R::free_one, {});
  a.at(0, 5, 250, 100);
  a.recording.iteration_us = {100};
  const auto parts = path(a);
  BOOST_TEST(us_of(parts, PathKind::kernel) == 100, tt::tolerance(1e-9));
  BOOST_TEST(parts.size() == 1u);
}

BOOST_AUTO_TEST_CASE(the_critical_path_goes_on_into_the_iteration_before_on_the_device) {
  Recorded a;
  a.kernel(R::free_one, {});
  a.at(0, 5, 250, 60);  // after its own previous run, [150, 210]
  a.recording.iteration_us = {100};
  auto parts = path(a);
  test_us<PathKind>(parts, {{P::kernel, 60}, {P::order, 40}});
  a.at(0, 5, 260, 40);
  a.kernel(R::free_two, {});
  a.at(5, 5, 320, 10);  // also delays the other one: [220, 230]
  parts = path(a);
  BOOST_TEST(sum(parts) == 100, tt::tolerance(1e-9));
  test_us<PathKind>(parts, {{P::kernel, 50}, {P::engine, 50}});
}

BOOST_AUTO_TEST_CASE(an_operation_may_seem_to_end_just_after_the_wait_for_it) {
  Recorded a = two_kernels();
  a.at(15, 34.5);  // returns at 49.5, and the second kernel ends at 50
  const auto parts = path(a);
  BOOST_TEST(sum(parts) == 100, tt::tolerance(1e-9));
  test_us<PathKind>(parts, {{P::kernel, 39.5}, {P::wait_return, 0}});
}

BOOST_AUTO_TEST_CASE(a_copy_from_pageable_memory_waits_for_what_is_before_it) {
  Recorded a;
  a.kernel(R::free_one, {});
  a.at(0, 2, 5, 20);
  a.copy(R::free_one, R::pageable, R::device).synchronous = true;
  a.at(10, 30, 30, 8);
  a.recording.iteration_us = {40};
  const auto parts = path(a);
  test_us<PathKind>(parts,
                    {{P::wait_return, 15}, {P::kernel, 20}, {P::launch_latency, 3}, {P::copy, 0}});

  a.at(10, 22, 30, 8);  // if its own operation is waited for, the time before that is the call's
  a.synchronize();
  a.at(33, 7);
  const auto through = path(a);
  test_us<PathKind>(through, {{P::copy, 8}, {P::kernel, 0}, {P::host_call, 22}});
}

BOOST_AUTO_TEST_CASE(the_critical_path_is_the_host_s_without_device_times) {
  Recorded a = two_kernels();
  for (RecordedCall& call : a.recording.calls) call.device_start_us.reset();
  const auto parts = path(a);
  BOOST_TEST(sum(parts) == 100, tt::tolerance(1e-9));
  BOOST_TEST(us_of(parts, PathKind::host_call) == 57, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_copy_that_blocks_is_waited_for) {
  Recorded a;
  a.copy(R::free_one, R::device, R::pageable);
  a.at(0, 50, 10, 30);
  a.recording.iteration_us = {60};
  const auto parts = path(a);
  test_us<PathKind>(parts, {{P::wait_return, 10}, {P::copy, 30}, {P::host_call, 10}});
}

BOOST_AUTO_TEST_SUITE_END()
