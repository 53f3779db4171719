// Calls that cost time, copies that could overlap, and calls that do nothing.
#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "common/application/diagnosis/findings/call_findings.hpp"
#include "common/application/diagnosis/findings/replaceable.hpp"
#include "tests/application/diagnosis/recorded.hpp"

using namespace trilane;
namespace tt = boost::test_tools;

namespace {

using R = Recorded;

std::vector<CallFinding> findings(const Recorded& a, FindingKind kind) {
  auto all =
      findings_in(a.recording, IterationSchedule(a.recording), HappensBefore(a.recording, 2));
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

}  // namespace

BOOST_AUTO_TEST_SUITE(findings_of_a_recording)

BOOST_AUTO_TEST_CASE(a_copy_without_a_kernel_beside_it_says_what_keeps_it) {
  BOOST_TEST((obstacle(alone(3, 3, R::pinned, R::other_device)) == Obstacle::same_stream));
  BOOST_TEST((obstacle(alone(3, 4, R::pinned, R::other_device)) == Obstacle::order));
  BOOST_TEST((obstacle(alone(3, 4, R::pageable, R::other_device)) == Obstacle::pageable));
  BOOST_TEST((obstacle(alone(0, 1, R::pinned, R::other_device)) == Obstacle::legacy));
  BOOST_TEST((obstacle(alone(1, 0, R::pinned, R::other_device)) == Obstacle::legacy));
  Recorded synchronous = alone(3, 4, R::pinned, R::other_device);
  synchronous.recording.calls[0].synchronous = true;
  BOOST_TEST((obstacle(synchronous) == Obstacle::synchronous));
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
  BOOST_TEST(!findings(a, FindingKind::pageable_copy).at(0).pinned_us);  // the other way
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
  BOOST_REQUIRE(allocations.size() == 2u);
  BOOST_TEST(allocations[0].name == "cuMemAlloc");
  BOOST_TEST(allocations[0].count == 2u);
  BOOST_TEST(allocations[0].us == 4);
  BOOST_TEST(allocations[1].name == "cudaFree");
  BOOST_TEST(findings(a, FindingKind::implicit_wait).at(0).name == "cudaFree");
  BOOST_TEST(findings(a, FindingKind::synchronization).at(0).us == 2);
  a.add(CallKind::free, "cuMemFree");  // the context has been waited for
  BOOST_TEST(findings(a, FindingKind::implicit_wait).size() == 1u);
}

BOOST_AUTO_TEST_CASE(the_legacy_stream_s_rule_is_an_implicit_order) {
  Recorded a;
  a.kernel(R::blocking, {});
  a.kernel(R::legacy, {});
  a.synchronize();
  const auto found = findings(a, FindingKind::legacy_wait);
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found[0].calls == std::vector<std::uint64_t>{1}, tt::per_element());
}

BOOST_AUTO_TEST_CASE(a_wait_is_useless_only_if_it_orders_nothing) {
  Recorded a;
  a.kernel(R::free_one, {});
  a.record(1, R::free_one);
  a.wait(1, R::free_two);
  a.wait(1, R::free_two);  // useless
  a.kernel(R::free_two, {});
  a.synchronize();
  a.synchronize(R::free_one);  // useless
  a.wait(1, R::free_one);      // useless
  const auto stream = findings(a, FindingKind::useless_stream_wait);
  BOOST_REQUIRE(stream.size() == 1u);
  BOOST_TEST(stream[0].calls == (std::vector<std::uint64_t>{3, 7}), tt::per_element());
  const auto host = findings(a, FindingKind::useless_synchronize);
  BOOST_REQUIRE(host.size() == 1u);
  BOOST_TEST(host[0].name == "cuStreamSynchronize");
  a.recording.found = Found::none;  // what was done before is not known
  BOOST_TEST(findings(a, FindingKind::useless_synchronize).empty());
}

BOOST_AUTO_TEST_CASE(a_wait_for_the_previous_iteration_is_not_useless) {
  Recorded a;
  a.wait(1, R::free_two);
  a.kernel(R::free_two, {});
  a.kernel(R::free_one, {});
  a.record(1, R::free_one);
  BOOST_TEST(findings(a, FindingKind::useless_stream_wait).empty());
  a.synchronize();
  BOOST_TEST(findings(a, FindingKind::useless_stream_wait).size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_range_s_wait_may_be_for_what_came_before_it) {
  Recorded a;
  a.wait(1, R::free_two);
  a.wait_on_host(2);
  a.synchronize(R::legacy);
  a.synchronize(R::free_one);
  a.add(CallKind::free, "cuMemFree");
  a.kernel(R::free_one, {});
  a.record(1, R::free_one);
  a.record(2, R::free_one);
  a.wait(1, R::free_two);
  a.synchronize();
  const auto useless = [&] {
    return findings(a, FindingKind::useless_stream_wait).size() +
           findings(a, FindingKind::useless_synchronize).size();
  };
  BOOST_TEST(useless() == 3u);
  a.recording.found = Found::range;
  BOOST_TEST(useless() == 0u);
  BOOST_TEST(findings(a, FindingKind::implicit_wait).size() == 1u);
  a.wait_on_host(1);           // useless
  a.synchronize(R::free_one);  // useless
  a.wait(1, R::free_two);      // useless
  BOOST_TEST(useless() == 3u);
}

BOOST_AUTO_TEST_CASE(a_wait_for_an_event_that_something_else_may_have_recorded_is_not_useless) {
  Recorded a;
  a.kernel(R::free_one, {});
  a.record(1, R::free_one);
  a.synchronize();
  a.wait(1, R::free_two);
  const auto useless = [&] { return findings(a, FindingKind::useless_stream_wait).size(); };
  BOOST_TEST(useless() == 1u);
  auto& calls = a.recording.calls;
  RecordedCall between;
  between.name = "cuCtxRecordEvent";
  calls.insert(calls.begin() + 2, between);
  BOOST_TEST(useless() == 0u);
  calls[2].kind = CallKind::graph_launch;
  BOOST_TEST(useless() == 0u);  // nothing is known of the graph
  calls[2].graph = 0;
  a.recording.graphs.resize(1);
  BOOST_TEST(useless() == 1u);
  a.recording.graphs[0].nodes.resize(1);  // it may record an event
  BOOST_TEST(useless() == 0u);
}

BOOST_AUTO_TEST_CASE(events_bytes_and_memsets_for_nothing_are_found) {
  Recorded a;
  a.record(1, R::free_one);
  a.record(2, R::free_one);
  a.wait_on_host(2);
  BOOST_TEST(findings(a, FindingKind::unused_event).at(0).calls.at(0) == 0u);
  a.copy(R::free_one, R::pinned, R::device, 0, 0);
  BOOST_TEST(findings(a, FindingKind::nothing_copied).size() == 1u);

  Recorded set;
  set.memset(R::free_one, R::device, 0, 4096);
  set.copy(R::free_one, R::pinned, R::device, 0, 4096);
  BOOST_TEST(findings(set, FindingKind::memset_overwritten).size() == 1u);
  BOOST_TEST(findings(set, FindingKind::memset_overwritten).at(0).us == 2);
  const auto is_kept = [&](auto change) {
    Recorded changed = set;
    change(changed.recording.calls);
    return findings(changed, FindingKind::memset_overwritten).empty();
  };
  BOOST_TEST(is_kept([](auto& calls) { calls[1].uses[1].bytes = 4095; }));
  BOOST_TEST(is_kept([](auto& calls) { calls[1].uses[1].offset = 1; }));
  BOOST_TEST(is_kept([](auto& calls) { calls[1].bytes = 1024; }));  // pitched
  BOOST_TEST(is_kept([](auto& calls) { calls[1].stream = R::free_two; }));
  BOOST_TEST(!is_kept([](auto& calls) { calls[0].device_us = 1; }));
  Recorded used;
  used.memset(R::free_one, R::device);
  used.kernel(R::free_one, {R::device});
  used.copy(R::free_one, R::pinned, R::device);
  BOOST_TEST(findings(used, FindingKind::memset_overwritten).empty());
}

BOOST_AUTO_TEST_CASE(a_graph_replaces_calls_that_launch) {
  Recorded a;
  a.kernel(R::free_one, {});
  a.copy(R::free_one, R::pinned, R::device);
  a.copy(R::free_one, R::pageable, R::device);
  a.record(1, R::free_one);
  a.add(CallKind::allocate_async, "cuMemAllocAsync", R::free_one);
  a.synchronize();
  DeviceUse use;
  use.causes = {{.use = TimeUse::launching, .us = 4, .share = 0, .count = 1, .calls = {}},
                {.use = TimeUse::waiting, .us = 8, .share = 0, .count = 1, .calls = {}}};
  const GraphBound bound = graph_bound(a.recording, use);
  BOOST_TEST(bound.calls == 4u);
  BOOST_TEST(bound.host_us == 8);
  BOOST_TEST(bound.idle_us.value() == 4);
}

BOOST_AUTO_TEST_SUITE_END()
