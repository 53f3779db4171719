// Calls that cost time, copies that could overlap, and calls that do nothing.
#include "common/application/diagnosis/call_findings.hpp"
#include "common/application/diagnosis/diagnosis_page.hpp"
#include "common/application/diagnosis/make_diagnosis.hpp"
#include "tests/application/diagnosis/recorded.hpp"
#include "tests/base/mentions.hpp"

namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(findings_of_a_recording)

using R = Recorded;

std::vector<CallFinding> findings(const Recorded& a, FindingKind kind) {
  auto all = findings_of(a);
  std::erase_if(all, [&](const CallFinding& f) { return f.kind != kind; });
  return all;
}

/// A copy that runs alone, and a kernel.
Recorded alone(std::uint32_t copy_stream, std::uint32_t kernel_stream, std::uint32_t from,
               std::uint32_t kernel_memory) {
  Recorded a;
  a.copy(copy_stream, from, R::device);
  a.at(0, 2, 5, 10);
  a.kernel(kernel_stream, {kernel_memory});
  a.at(2, 2, 20, 10);
  a.recording.iteration_us = {50};
  return a;
}

Obstacle obstacle(const Recorded& a) {
  const auto found = findings(a, FindingKind::copy_could_overlap);
  return found.empty() ? Obstacle::none : found[0].obstacle;
}

BOOST_AUTO_TEST_CASE(a_copy_without_a_kernel_beside_it_says_what_keeps_it) {
  BOOST_TEST((obstacle(alone(3, 3, R::pinned, R::other_device)) == Obstacle::same_stream));
  BOOST_TEST((obstacle(alone(3, 4, R::pageable, R::other_device)) == Obstacle::pageable));
  Recorded synchronous = alone(3, 4, R::pinned, R::other_device);
  synchronous.recording.calls[0].synchronous = true;
  BOOST_TEST((obstacle(synchronous) == Obstacle::synchronous));
}

BOOST_AUTO_TEST_CASE(copies_that_one_could_make_are_said_together) {
  Recorded a;
  a.copy(R::free_one, R::pinned, R::device, 0, 64);
  a.at(0, 2, 5, 3);
  a.copy(R::free_one, R::pinned, R::device, 64, 64).adjoins = true;
  a.at(2, 2, 8, 3);
  a.kernel(R::free_one, {R::device});
  a.at(4, 2, 11, 10);
  a.synchronize(R::free_one);
  a.at(6, 15);
  const auto found = findings(a, FindingKind::copies_in_pieces);
  BOOST_REQUIRE_EQUAL(found.size(), 1u);
  BOOST_TEST(found[0].count == 2u);
  BOOST_TEST(found[0].gain_us.value() == 2.0 + 3.0);  // of the second: its call and operation
  BOOST_TEST(sentence_on(found[0]) ==
             "At most 5.00 us: make one copy of these: each begins where the one before ends, in "
             "both memories: cuMemcpyAsync 2 times (call 0 and call 1).");
  a.recording.calls[0].pointers = Variation::alternates;
  BOOST_TEST(findings(a, FindingKind::copies_in_pieces).empty());
}

BOOST_AUTO_TEST_CASE(a_call_that_the_legacy_stream_orders_is_said_once) {
  for (const auto& [copy, kernel] : {std::pair{0u, 1u}, {1u, 0u}}) {
    const Recorded a = alone(copy, kernel, R::pinned, R::other_device);
    BOOST_TEST((obstacle(a) == Obstacle::none));
    BOOST_TEST(findings(a, FindingKind::legacy_wait).size() == 1u);
  }
  // If the kernel is late for another reason, too, the copy is what is left to say.
  Recorded late = alone(0, 1, R::pinned, R::other_device);
  late.at(14, 2, 20, 10);
  BOOST_TEST((obstacle(late) == Obstacle::legacy));
}

BOOST_AUTO_TEST_CASE(a_wait_for_a_small_result_says_what_the_device_alone_would_take) {
  const auto asks = [](std::uint64_t bytes, std::uint32_t waited) {
    Recorded a;
    a.kernel(R::free_one, {R::device});
    a.at(0, 2, 5, 10);
    a.copy(R::free_one, R::device, R::pinned, 0, bytes);
    a.at(3, 2, 16, 2);
    a.synchronize(waited);
    a.at(6, 14);
    a.recording.iteration_us = {50};
    return a;
  };
  const auto found = findings(asks(4, R::free_one), FindingKind::small_result);
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found[0].us == 14);
  BOOST_TEST(found[0].gain_us.value() == 40);  // all but the kernel
  BOOST_TEST(findings(asks(4, R::free_one), FindingKind::synchronization).empty());
  BOOST_TEST(findings(asks(65, R::free_one), FindingKind::small_result).empty());
  BOOST_TEST(findings(asks(4, R::free_two), FindingKind::small_result).empty());
}

/// Two kernels in two streams, ordered by events or not.
BOOST_AUTO_TEST_CASE(a_wait_cannot_gain_what_the_order_on_the_device_takes) {
  const auto chained = [](bool ordered) {
    Recorded a;
    a.kernel(R::free_one, {R::device});
    a.at(0, 2, 5, 30);
    a.record(0, R::free_one);
    a.wait(ordered ? 0 : 1, R::free_two);
    a.kernel(R::free_two, {R::other_device});
    a.at(40, 2, 45, 30);
    a.record(1, R::free_two);
    a.wait(ordered ? 1 : 0, R::free_one);
    a.synchronize();
    a.at(42, 56);
    a.recording.iteration_us = {100};
    return findings(a, FindingKind::synchronization).at(0).gain_us.value();
  };
  BOOST_TEST(chained(true) == 40);
  BOOST_TEST(chained(false) > 40);
}

BOOST_AUTO_TEST_CASE(a_copy_and_a_kernel_that_nothing_orders_were_only_issued_one_after_the_other) {
  BOOST_TEST((obstacle(alone(3, 4, R::pinned, R::other_device)) == Obstacle::none));
  Recorded ordered;
  ordered.copy(3, R::pinned, R::device);
  ordered.at(0, 2, 5, 10);
  ordered.record(0, 3);
  ordered.wait(0, 4);
  ordered.kernel(4, {R::other_device});
  ordered.at(2, 2, 20, 10);
  ordered.recording.iteration_us = {50};
  BOOST_TEST((obstacle(ordered) == Obstacle::order));
}

/// As PyTorch's data loaders: a side stream waits for an event of the legacy stream.
BOOST_AUTO_TEST_CASE(a_non_blocking_stream_is_kept_by_its_wait_for_an_event) {
  Recorded a;
  a.record(0, R::legacy);
  a.wait(0, R::free_one);
  a.copy(R::free_one, R::pinned, R::device);
  a.at(0, 2, 5, 10);
  a.record(1, R::free_one);
  a.wait(1, R::legacy);
  a.kernel(R::legacy, {R::other_device});
  a.at(2, 2, 20, 10);
  a.recording.iteration_us = {50};
  BOOST_TEST((obstacle(a) == Obstacle::order));
  BOOST_TEST(sentence_on(findings(a, FindingKind::copy_could_overlap).at(0)) ==
             "At most 15.0 us: overlap the copy with kernels that use other data: remove waits for "
             "events that the data does not need, as cuStreamWaitEvent (call 1): cuMemcpyAsync "
             "(call 2).");
}

BOOST_AUTO_TEST_CASE(a_copy_for_the_only_kernel_needs_a_buffer_and_one_beside_a_kernel_nothing) {
  const Recorded needed = alone(3, 3, R::pinned, R::device);
  BOOST_TEST((obstacle(needed) == Obstacle::none));
  BOOST_TEST(findings(needed, FindingKind::copy_needs_buffer).size() == 1u);
  Recorded beside = alone(3, 4, R::pinned, R::other_device);
  beside.at(2, 2, 7, 10);
  BOOST_TEST((obstacle(beside) == Obstacle::none));
  BOOST_TEST(findings(beside, FindingKind::copy_needs_buffer).empty());
  Recorded on_device = alone(3, 4, R::other_device, R::other_device);
  BOOST_TEST(findings(on_device, FindingKind::copy_could_overlap).empty());
  Recorded unknown = alone(3, 4, R::pinned, R::other_device);
  unknown.recording.calls[1].uses.clear();  // so that the kernel may use any memory
  BOOST_TEST((obstacle(unknown) == Obstacle::none));
  BOOST_TEST(findings(unknown, FindingKind::copy_needs_buffer).size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_kernel_whose_data_reach_the_copy_by_another_kernel_cannot_overlap_it) {
  Recorded a;
  a.kernel(R::free_one, {R::other_device});
  a.at(0, 2, 5, 10);
  a.kernel(R::free_one, {R::other_device, R::device});
  a.at(2, 2, 15, 10);
  a.copy(R::free_one, R::device, R::pinned);
  a.at(4, 2, 25, 10);
  a.recording.iteration_us = {50};
  BOOST_TEST((obstacle(a) == Obstacle::none));
  BOOST_TEST(findings(a, FindingKind::copy_needs_buffer).size() == 1u);
  a.recording.calls[1].uses.pop_back();
  a.recording.calls[1].uses = {{R::module, 0, 64, Use::may_use}};
  BOOST_TEST((obstacle(a) == Obstacle::same_stream));
}

BOOST_AUTO_TEST_CASE(pageable_copies_are_set_beside_pinned_ones) {
  Recorded a;
  a.copy(R::free_one, R::pageable, R::device, 0, 4000);
  a.at(0, 65, 10, 50);
  BOOST_TEST(!findings(a, FindingKind::pageable_copy).at(0).pinned_us);
  a.copy(R::free_one, R::pinned, R::device, 0, 8000);
  a.at(70, 1, 72, 10);
  const CallFinding found = findings(a, FindingKind::pageable_copy).at(0);
  BOOST_TEST(found.count == 1u);
  BOOST_TEST(found.bytes == 4000u);
  BOOST_TEST(found.us == 65);
  BOOST_TEST(found.pinned_us.value() == 5, tt::tolerance(1e-9));
  a.recording.calls[1].uses = {{R::device, 0, 8000, Use::reads}, {R::pinned, 0, 8000, Use::writes}};
  BOOST_TEST(!findings(a, FindingKind::pageable_copy).at(0).pinned_us);  // the other direction
  a.copy(R::free_one, R::device, R::pageable, 0, 8000);
  a.at(90, 9, 92, 5);
  BOOST_TEST(!findings(a, FindingKind::pageable_copy).at(0).pinned_us);  // only of one
}

BOOST_AUTO_TEST_CASE(a_copy_that_is_not_asynchronous_is_an_implicit_wait) {
  Recorded a;
  a.copy(R::free_one, R::pinned, R::device);
  BOOST_TEST(findings(a, FindingKind::implicit_wait).empty());
  a.recording.calls[0].synchronous = true;
  const auto found = findings(a, FindingKind::implicit_wait);
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST((found[0].obstacle == Obstacle::synchronous));
  BOOST_TEST(found[0].us == 2);
}

BOOST_AUTO_TEST_CASE(calls_that_are_alike_are_one_finding_with_the_first_of_them) {
  Recorded a;
  for (int i = 0; i < 7; ++i) a.copy(R::free_one, R::pageable, R::device, 0, 1000);
  a.add(CallKind::query, "cuStreamQuery", R::free_one);
  const CallFinding found = findings(a, FindingKind::pageable_copy).at(0);
  BOOST_TEST(found.count == 7u);
  BOOST_TEST(found.bytes == 7000u);
  BOOST_TEST(found.us == 14);
  BOOST_TEST(found.calls == (std::vector<std::uint64_t>{0, 1, 2, 3, 4}), tt::per_element());
  BOOST_TEST(findings(a, FindingKind::synchronization).at(0).name == "cuStreamQuery");
}

BOOST_AUTO_TEST_CASE(waits_allocations_and_frees_are_counted_by_function) {
  Recorded a;
  a.kernel(R::free_one, {});
  a.add(CallKind::free, "cuMemFree").runtime = "cudaFree";
  a.kernel(R::free_one, {});
  a.synchronize();
  a.add(CallKind::allocate, "cuMemAlloc");
  a.add(CallKind::allocate, "cuMemAlloc");
  const auto allocations = findings(a, FindingKind::allocation);
  BOOST_REQUIRE(allocations.size() == 1u);
  BOOST_TEST(allocations[0].name == "cudaFree and cuMemAlloc 2 times");
  BOOST_TEST(allocations[0].count == 3u);
  BOOST_TEST(allocations[0].us == 6);
  BOOST_TEST(!allocations[0].gain_us);  // without the kernels' times
  BOOST_TEST(findings(a, FindingKind::implicit_wait).empty());
  BOOST_TEST(findings(a, FindingKind::synchronization).at(0).us == 2);
}

/// The wait covers an event with which nothing in the iteration does anything.
BOOST_AUTO_TEST_CASE(a_wait_behind_which_times_may_be_read_is_needed) {
  Recorded a;
  a.record(1, R::free_one);
  a.kernel(R::free_one, {R::device});
  a.synchronize();
  BOOST_TEST(findings(a, FindingKind::synchronization).empty());
  BOOST_TEST(findings(a, FindingKind::unjudged_wait).size() == 1u);
  a.wait(1, R::free_two);
  BOOST_TEST(findings(a, FindingKind::synchronization).size() == 1u);
  a.recording.calls[3].event = 2;
  a.synchronize();  // behind the first one, which reads the times
  BOOST_TEST(findings(a, FindingKind::synchronization).at(0).count == 1u);
}

/// The host stays in the call for 20 us; the GPU gets its next work 8 us after that.
BOOST_AUTO_TEST_CASE(what_blocks_the_host_gains_the_idle_time_behind_it_too) {
  const auto gain = [](auto add, FindingKind kind) {
    Recorded a;
    a.kernel(R::free_one, {R::device});
    a.at(0, 2, 5, 10);
    add(a);
    a.at(2, 20);
    a.kernel(R::free_one, {R::device});
    a.at(25, 2, 30, 10);
    a.recording.iteration_us = {100};
    return findings(a, kind).at(0).gain_us.value();
  };
  const auto copy = [](std::uint32_t memory) {
    return [=](Recorded& a) {
      auto& call = a.copy(R::free_two, memory, R::other_device);
      call.synchronous = true;
      call.device_start_us = 4;
      call.device_us = 15;
    };
  };
  BOOST_TEST(gain([](Recorded& a) { a.synchronize(); }, FindingKind::synchronization) == 28);
  BOOST_TEST(
      gain([](Recorded& a) { a.add(CallKind::free, "cuMemFree"); }, FindingKind::allocation) == 28);
  BOOST_TEST(gain(copy(R::pinned), FindingKind::implicit_wait) == 28);
  BOOST_TEST(gain(copy(R::pageable), FindingKind::pageable_copy) == 28);
  // An event that is done delays the next operation by what is not its launch.
  const auto useless = [](Recorded& a) {
    a.record(1, R::free_one);
    a.wait_on_host(1);
    a.wait(1, R::free_one);
  };
  BOOST_TEST(gain(useless, FindingKind::useless_stream_wait) == 20 + 5);
}

BOOST_AUTO_TEST_CASE(a_memset_overwritten_by_a_copy_is_found_unless_something_may_read_it) {
  Recorded set;
  set.memset(R::free_one, R::device, 0, 4096);
  set.record(1, R::free_one);
  set.copy(R::free_one, R::pinned, R::device, 0, 4096);
  const auto found = [](const Recorded& a) {
    return findings(a, FindingKind::memset_overwritten).size();
  };
  BOOST_TEST(found(set) == 1u);
  BOOST_TEST(findings(set, FindingKind::memset_overwritten).at(0).us == 2);
  const auto is_kept = [&](auto change) {
    Recorded changed = set;
    change(changed.recording);
    return found(changed) == 0;
  };
  BOOST_TEST(is_kept([](auto& r) { r.calls[2].uses[1].bytes = 4095; }));
  BOOST_TEST(is_kept([](auto& r) { r.calls[2].uses[1].offset = 1; }));
  BOOST_TEST(is_kept([](auto& r) { r.calls[2].bytes = 1024; }));  // pitched
  BOOST_TEST(is_kept([](auto& r) { r.calls[2].stream = R::free_two; }));
  BOOST_TEST(is_kept([](auto& r) { r.calls[2].uses[0].memory = R::device; }));  // reads it
  BOOST_TEST(is_kept([](auto& r) { r.calls[0].pointers = Variation::alternates; }));
  BOOST_TEST(is_kept([](auto& r) { r.calls[2].pointers = Variation::alternates; }));
  BOOST_TEST(is_kept([](auto& r) { r.memory[R::device].kind = MemoryKind::pinned; }));
  BOOST_TEST(is_kept([](auto& r) { r.calls[0].stream = R::legacy; }));  // a barrier
  BOOST_TEST(is_kept([](auto& r) { r.threads = 2; }));
  BOOST_TEST(is_kept([](auto& r) { r.found = Found::none; }));
  BOOST_TEST(is_kept([](auto& r) { r.unequal.emplace(); }));  // other steps may read it
  BOOST_TEST(is_kept([](auto& r) {  // a copy whose source is the set memory every other time
    r.calls[1].kind = CallKind::copy;
    r.calls[1].pointers = Variation::alternates;
    r.calls[1].uses = {{R::other_device, 0, 64, Use::reads}, {R::pinned, 0, 64, Use::writes}};
  }));
  for (const auto kind :
       {CallKind::kernel, CallKind::graph_launch, CallKind::host_function, CallKind::other}) {
    BOOST_TEST(is_kept([&](auto& r) { r.calls[1].kind = kind; }), name_of(kind));
  }
  BOOST_TEST(!is_kept([](auto& r) { r.calls[0].device_us = 1; }));
}

/// A kernel, a host function and a kernel, in one stream: the second starts 40 us after the first.
Recorded with_host_function(double second_issued_us = 6) {
  Recorded a;
  a.kernel(R::free_one, {R::device});
  a.at(0, 2, 5, 10);
  a.add(CallKind::host_function, "cuLaunchHostFunc", R::free_one);
  a.at(3, 2);
  a.kernel(R::free_one, {R::device});
  a.at(second_issued_us, 2, 55, 10);
  a.synchronize(R::free_one);
  a.at(60, 6);
  a.recording.iteration_us = {70};
  return a;
}

BOOST_AUTO_TEST_CASE(a_host_function_costs_what_its_stream_stands_still) {
  const Recorded a = with_host_function();
  auto found = findings(a, FindingKind::host_function);
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found[0].us == 39, tt::tolerance(1e-9));  // a kernel follows another after 1 us
  // At most: its call, and the time from the next kernel's issue until it starts.
  BOOST_TEST(found[0].gain_us.value() == 50, tt::tolerance(1e-9));
  const Diagnosis diagnosis = diagnosis_of(a.recording);
  BOOST_TEST(us_of(diagnosis.device.value().causes, TimeUse::host_function) == 40,
             tt::tolerance(1e-9));
  BOOST_TEST(us_of(diagnosis.path, PathKind::host_function) == 40, tt::tolerance(1e-9));
  BOOST_TEST(us_of(diagnosis.device->causes, TimeUse::launch_latency) < 10);

  found = findings(with_host_function(48), FindingKind::host_function);
  BOOST_REQUIRE(found.size() == 1u);  // the launch needs 5 us
  BOOST_TEST(found[0].us == 1, tt::tolerance(1e-9));
  BOOST_TEST(findings(with_host_function(50), FindingKind::host_function).empty());

  Recorded two = with_host_function();
  two.recording.calls.insert(two.recording.calls.begin() + 2, two.recording.calls[1]);
  found = findings(two, FindingKind::host_function);
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found[0].count == 2u);
  BOOST_TEST(found[0].us == 39, tt::tolerance(1e-9));  // both together
}

BOOST_AUTO_TEST_CASE(a_reconstruction_holds_what_host_functions_cost) {
  Recorded a = with_host_function();
  for (std::size_t i = 0; i < 4; ++i) {
    a.recording.calls[i].own_us = 1;
    a.recording.calls[i].call_us = i < 3 ? 2 : 6;
  }
  a.recording.watched_us = {68};
  const Diagnosis diagnosis = diagnosis_of(a.recording);
  BOOST_REQUIRE(diagnosis.reconstruction);
  BOOST_TEST(diagnosis.reconstruction->used);  // without them it would take 30 us
  BOOST_TEST(diagnosis.reconstruction->period_us.value() > 60);
}

BOOST_AUTO_TEST_CASE(a_copy_of_no_bytes_is_found_where_it_only_moves_bytes) {
  Recorded a;
  a.copy(R::free_one, R::pinned, R::device, 0, 0);
  const auto found = [&] { return findings(a, FindingKind::nothing_copied).size(); };
  BOOST_TEST(found() == 1u);
  a.recording.calls[0].synchronous = true;  // it may be there for its wait
  BOOST_TEST(found() == 0u);
  a.recording.calls[0].synchronous = false;
  a.recording.calls[0].refusal = "it copies an array";  // of unknown size
  BOOST_TEST(found() == 0u);
  a.recording.calls[0].refusal = "";
  a.recording.calls[0].stream = R::legacy;
  BOOST_TEST(found() == 0u);
  a.recording.calls[0].stream = R::free_one;
  a.recording.unequal.emplace();  // other steps may copy some
  BOOST_TEST(found() == 0u);
}

BOOST_AUTO_TEST_CASE(an_event_that_nothing_here_waits_for_may_still_be_needed) {
  Recorded a;
  a.record(1, R::free_one);
  a.record(2, R::free_one);
  a.wait_on_host(2);
  a.recording.iteration_us = {40};
  const auto all = findings_of(a);
  BOOST_REQUIRE(all.size() == 1u);
  BOOST_TEST((all[0].kind == FindingKind::unjudged_wait));
}

BOOST_AUTO_TEST_CASE(findings_are_ranked_by_what_they_could_gain_and_small_ones_left_out) {
  Recorded a;
  a.kernel(R::free_one, {R::device});
  a.at(0, 2, 10, 60);
  a.synchronize();
  a.at(5, 66);  // the GPU works for 60 of them
  a.add(CallKind::allocate, "cuMemAlloc");
  a.at(75, 20);
  a.recording.iteration_us = {100};
  const auto all = [&] { return findings_of(a); };
  BOOST_REQUIRE(all().size() == 2u);
  BOOST_TEST((all()[0].kind == FindingKind::synchronization));
  BOOST_TEST(all()[0].us == 66);
  BOOST_TEST(all()[0].gain_us.value() == 40);  // the period without the work of the one stream
  BOOST_TEST(all()[1].gain_us.value() == 35);  // 20, and 15 until the kernel starts
  a.recording.calls[0].device_us = 85;
  a.recording.calls[1].host_us = 14;
  BOOST_REQUIRE(all().size() == 2u);
  BOOST_TEST(all()[0].gain_us.value() == 15);
  BOOST_TEST(all()[1].gain_us.value() == 15);
  a.recording.calls[0].device_us = 99;
  BOOST_TEST(all().back().gain_us.value() == 1);  // a hundredth
  a.recording.calls[0].device_us = 99.5;          // no wait can gain more than the rest
  BOOST_TEST(all().empty());
}

BOOST_AUTO_TEST_CASE(overlap_gains_no_more_than_the_other_engines_take) {
  Recorded a = alone(3, 3, R::pinned, R::other_device);
  BOOST_TEST(findings(a, FindingKind::copy_could_overlap).at(0).gain_us.value() == 15);
  a.at(2, 2, 20, 3);
  BOOST_TEST(findings(a, FindingKind::copy_could_overlap).at(0).us == 10);
  // The kernel's time, and the gap before it.
  BOOST_TEST(findings(a, FindingKind::copy_could_overlap).at(0).gain_us.value() == 8);
}

BOOST_AUTO_TEST_CASE(a_sentence_says_what_to_do_what_to_keep_and_the_gain) {
  CallFinding finding{.kind = FindingKind::implicit_wait,
                      .name = "cudaMemcpy 2 times",
                      .obstacle = Obstacle::synchronous,
                      .count = 2,
                      .us = 30,
                      .gain_us = 20,
                      .calls = {2, 7},
                      .place = "call 2 and call 7"};
  BOOST_TEST(
      sentence_on(finding) ==
      "At most 20.0 us: use the Async form, and wait for it before the host or another stream uses "
      "or changes its data; the host waits, because the call is synchronous: cudaMemcpy 2 times "
      "(call 2 and call 7).");
}

/// Each of these changes the output of a planted application that does not heed the condition.
BOOST_AUTO_TEST_CASE(advice_that_can_do_harm_says_when) {
  using enum FindingKind;
  for (const auto& [kind, condition] : {
           std::pair{copy_needs_buffer, "and no data stay in the buffer for that iteration"},
           {pageable_copy, "wait for the copy before the host or another stream uses or changes"},
           {synchronization, "if until then neither the host nor another stream needs that work"},
           {small_result, "in a buffer of their own, if the host may act so late"},
           {allocation, "all that is in use at a time, and wait where only a free did"},
           {legacy_wait, "events where one needs the other's data"},
           {legacy_event, "each stream whose work it marks, and use events where one needs"},
           {host_function, "only then issue what uses the same memory"},
       }) {
    CallFinding finding;
    finding.kind = kind;
    BOOST_TEST(mentions(sentence_on(finding), {condition}));
  }
}

BOOST_AUTO_TEST_CASE(a_graph_replaces_calls_that_launch) {
  Recorded a;
  a.kernel(R::free_one, {});
  a.copy(R::free_one, R::pinned, R::device);
  a.copy(R::free_one, R::pageable, R::device);
  a.record(1, R::free_one);
  a.add(CallKind::allocate_async, "cuMemAllocAsync", R::free_one);
  a.synchronize();
  const GraphBound bound = graph_bound(Scheduled(a).schedule);
  BOOST_TEST(bound.calls == 4u);
  BOOST_TEST(bound.host_us == 8);
  BOOST_TEST(!bound.least_us);
  BOOST_TEST((bound.first == "call 0" && bound.last == "call 4"));
  a.recording.calls[0].device_start_us = 5;
  a.recording.calls[0].device_us = 7;
  for (const std::size_t copy : {1, 2}) {
    a.recording.calls[copy].device_start_us = 20;
    a.recording.calls[copy].device_us = 3;
  }
  BOOST_TEST(graph_bound(Scheduled(a).schedule).least_us.value() == 10);  // not the pageable copy
}

BOOST_AUTO_TEST_SUITE_END()
