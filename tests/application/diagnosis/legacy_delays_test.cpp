// Operations that start late only because of the legacy stream's rule.
#include "common/application/diagnosis/call_findings.hpp"
#include "common/application/diagnosis/diagnosis_page.hpp"
#include "tests/application/diagnosis/recorded.hpp"
#include "tests/base/refusal.hpp"

namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(delays_by_the_legacy_stream)

using R = Recorded;

std::vector<CallFinding> delays(const Recorded& a) {
  const Scheduled scheduled(a);
  FindingGroups groups(scheduled.schedule);
  add_legacy_delays(scheduled.schedule, groups);
  return groups.ranked();
}

/// A copy in one stream, an event for timing, a kernel on other data that starts after both.
Recorded timed(std::uint32_t events) {
  Recorded a;
  a.copy(R::blocking, R::pinned, R::device);
  a.at(0, 2, 4, 76);
  a.record(1, events);
  a.at(3, 1);
  a.kernel(R::blocking_too, {R::other_device});
  a.at(5, 2, 82, 10);
  a.synchronize();
  a.at(8, 90);
  a.recording.iteration_us = {100};
  return a;
}

BOOST_AUTO_TEST_CASE(an_event_in_the_legacy_stream_keeps_copy_and_kernel_apart) {
  const auto found = delays(timed(R::legacy));
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST((found[0].kind == FindingKind::legacy_event));
  BOOST_TEST(found[0].calls == std::vector<std::uint64_t>{1}, tt::per_element());
  BOOST_TEST(found[0].delayed == "kernel scale");
  // From its earliest start, a launch latency of 4 us after its call, to its start.
  BOOST_TEST(found[0].gain_us.value() == 73);
  BOOST_TEST(contains(sentence_on(found[0]),
                      "each stream whose work it marks, and use events where one needs the other's "
                      "data; only the legacy stream's rule delays kernel"));
  BOOST_TEST(delays(timed(R::blocking)).empty());
}

BOOST_AUTO_TEST_CASE(an_order_that_the_data_need_costs_nothing) {
  Recorded a = timed(R::legacy);
  a.recording.calls[2].uses[0].memory = R::device;
  BOOST_TEST(delays(a).empty());
  a.recording.calls[2].uses.clear();  // then the kernel may use any memory
  BOOST_TEST(delays(a).empty());
}

BOOST_AUTO_TEST_CASE(two_that_read_the_same_bytes_need_no_order) {
  Recorded a;
  a.copy(R::blocking, R::device, R::pinned);
  a.at(0, 2, 4, 76);
  a.record(1, R::legacy);
  a.at(3, 1);
  a.copy(R::blocking_too, R::device, R::pinned);
  a.recording.calls.back().uses[1].offset = 2 * R::size;
  a.at(5, 2, 82, 10);
  a.recording.iteration_us = {100};
  BOOST_TEST(delays(a).size() == 1u);
  a.recording.calls.back().uses[1].offset = 0;
  BOOST_TEST(delays(a).empty());
}

/// The kernel reads what the stream's first operation wrote, not the output of its last one.
BOOST_AUTO_TEST_CASE(data_of_an_earlier_operation_count_up_to_its_end) {
  Recorded a;
  a.copy(R::blocking, R::pinned, R::device);
  a.at(0, 2, 4, 36);
  a.copy(R::blocking, R::pinned, R::other_device);
  a.at(2, 2, 40, 40);
  a.kernel(R::legacy, {R::device});
  a.at(5, 2, 82, 10);
  a.recording.iteration_us = {100};
  const auto found = delays(a);
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found[0].gain_us.value() == 42);  // from 40 to 82
}

BOOST_AUTO_TEST_CASE(buffers_in_turn_do_not_tie_iterations) {
  Recorded a;
  a.copy(R::blocking, R::pinned, R::device);
  a.at(0, 2, 60, 10);  // after the previous iteration's kernel
  a.recording.calls.back().pointers = Variation::alternates;
  a.record(1, R::blocking);
  a.at(3, 1);
  a.wait(1, R::legacy);
  a.at(4, 1);
  a.kernel(R::legacy, {R::device});
  a.at(5, 2, 72, 80);
  a.recording.calls.back().arguments = {Variation::alternates};
  a.recording.iteration_us = {100};
  const auto found = delays(a);
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found[0].calls == std::vector<std::uint64_t>{3}, tt::per_element());
  BOOST_TEST(found[0].delayed == "copy host to device");
  a.recording.calls[0].pointers = Variation::constant;
  a.recording.calls[3].arguments = {Variation::constant};
  BOOST_TEST(delays(a).empty());
}

BOOST_AUTO_TEST_CASE(without_device_times_or_with_several_contexts_nothing_is_said) {
  Recorded a = timed(R::legacy);
  a.recording.contexts = 2;
  BOOST_TEST(delays(a).empty());
  a.recording.contexts = 1;
  for (RecordedCall& call : a.recording.calls) call.device_start_us = call.device_us = std::nullopt;
  BOOST_TEST(delays(a).empty());
}

BOOST_AUTO_TEST_SUITE_END()
