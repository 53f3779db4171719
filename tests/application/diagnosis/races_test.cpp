// The order by CUDA's rules, and the races without one.
#include "common/application/iteration/races.hpp"
#include "tests/application/diagnosis/recorded.hpp"

BOOST_AUTO_TEST_SUITE(races_of_a_recording)

using R = Recorded;

std::vector<RecordedRace> races(const Recorded& of) {
  return races_in(of.recording, HappensBefore(of.recording, 2)).found;
}

/// Does the same if the iteration ends in a wait for everything.
std::vector<RecordedRace> within(Recorded of) {
  of.synchronize();
  return races(of);
}

BOOST_AUTO_TEST_CASE(two_streams_that_write_the_same_bytes_race_for_certain) {
  Recorded a;
  a.copy(R::free_one, R::pinned, R::device, 0, 4096);
  a.memset(R::free_two, R::device, 1024, 8192);
  const auto found = within(a);
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found[0].certain);
  BOOST_TEST(!found[0].next_iteration);
  BOOST_TEST(found[0].memory == R::device);
  BOOST_TEST(found[0].offset == 1024u);
  BOOST_TEST(found[0].bytes == 3072u);
  BOOST_TEST(found[0].earlier.call == 0u);
  BOOST_TEST(found[0].later.call == 1u);
  BOOST_TEST(found[0].count == 1u);
}

BOOST_AUTO_TEST_CASE(other_bytes_reads_and_one_stream_do_not_race) {
  Recorded bytes;
  bytes.memset(R::free_one, R::device, 0, 4096);
  bytes.memset(R::free_two, R::device, 4096, 4096);
  BOOST_TEST(within(bytes).empty());
  Recorded reads;
  reads.copy(R::free_one, R::device, R::pinned, 0);
  reads.copy(R::free_two, R::device, R::pinned, 8192).uses[0].offset = 0;
  BOOST_TEST(within(reads).empty());
  Recorded stream;
  stream.memset(R::free_one, R::device);
  stream.memset(R::free_one, R::device);
  BOOST_TEST(within(stream).empty());
}

BOOST_AUTO_TEST_CASE(each_copy_of_a_batch_may_race) {
  Recorded a;
  RecordedCall& batch = a.copy(R::free_one, R::pinned, R::other_device);
  batch.uses.push_back({R::device, 8192, 1024, Use::reads});
  batch.uses.push_back({R::pinned, 8192, 1024, Use::writes});
  batch.bytes += 1024;
  a.memset(R::free_two, R::device, 8192, 512);
  const auto found = within(a);
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found[0].certain);
  BOOST_TEST(found[0].memory == R::device);
  BOOST_TEST(found[0].bytes == 512u);
  a.recording.calls[0].uses[3].memory = R::pageable;  // then the host waits for the batch
  BOOST_TEST(within(a).empty());
}

BOOST_AUTO_TEST_CASE(a_kernel_races_possibly) {
  Recorded a;
  a.kernel(R::free_one, {R::device});
  a.copy(R::free_two, R::device, R::pinned);
  const auto found = within(a);
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(!found[0].certain);
  BOOST_TEST(found[0].earlier.what == "kernel scale");
}

BOOST_AUTO_TEST_CASE(an_event_orders_what_was_before_its_record) {
  Recorded a;
  a.memset(R::free_one, R::device);
  a.record(7, R::free_one);
  a.wait(7, R::free_two);
  a.memset(R::free_two, R::device);
  BOOST_TEST(within(a).empty());
  Recorded late;
  late.record(7, R::free_one);
  late.memset(R::free_one, R::device);
  late.wait(7, R::free_two);
  late.memset(R::free_two, R::device);
  BOOST_TEST(within(late).size() == 1u);
}

BOOST_AUTO_TEST_CASE(the_legacy_stream_orders_blocking_streams_and_no_others) {
  Recorded a;
  a.memset(R::blocking, R::device);
  a.kernel(R::legacy, {});
  a.memset(R::blocking_too, R::device);
  BOOST_TEST(within(a).empty());
  Recorded around;
  around.memset(R::free_one, R::device);
  around.kernel(R::legacy, {});
  around.memset(R::free_two, R::device);
  BOOST_TEST(within(around).size() == 1u);
  Recorded without;
  without.memset(R::blocking, R::device);
  without.memset(R::blocking_too, R::device);
  BOOST_TEST(within(without).size() == 1u);
}

BOOST_AUTO_TEST_CASE(the_host_orders_what_it_issues_after_a_wait) {
  const auto waited = [](auto wait) {
    Recorded a;
    a.memset(R::free_one, R::device);
    a.record(1, R::free_one);
    wait(a);
    a.memset(R::free_two, R::device);
    return within(a).empty();
  };
  BOOST_TEST(waited([](Recorded& a) { a.synchronize(); }));
  BOOST_TEST(waited([](Recorded& a) { a.synchronize(R::free_one); }));
  BOOST_TEST(waited([](Recorded& a) { a.wait_on_host(1); }));
  BOOST_TEST(waited([](Recorded& a) { a.add(CallKind::free, "cuMemFree"); }));
  BOOST_TEST(!waited([](Recorded& a) { a.synchronize(R::free_two); }));
  BOOST_TEST(!waited([](Recorded& a) { a.wait_on_host(2); }));
  BOOST_TEST(!waited([](Recorded& a) { a.add(CallKind::allocate, "cuMemAlloc"); }));
}

BOOST_AUTO_TEST_CASE(a_copy_that_the_host_waits_for_orders_too) {
  const auto ordered = [](std::uint32_t from, std::uint32_t to, bool synchronous) {
    Recorded a;
    a.copy(R::free_one, from, to).synchronous = synchronous;
    a.memset(R::free_two, R::device);
    return within(a).empty();
  };
  BOOST_TEST(ordered(R::pinned, R::device, true));
  BOOST_TEST(!ordered(R::pinned, R::device, false));
  BOOST_TEST(!ordered(R::pageable, R::device, true));  // it may still be on its way to the device
  BOOST_TEST(!ordered(R::pageable, R::device, false));
  BOOST_TEST(ordered(R::device, R::pageable, false));
  BOOST_TEST(!ordered(R::other_device, R::device, true));
}

BOOST_AUTO_TEST_CASE(pageable_memory_is_done_with_when_its_copy_returns) {
  Recorded a;
  a.copy(R::free_one, R::pageable, R::device);
  a.copy(R::free_two, R::other_device, R::pageable);
  BOOST_TEST(within(a).empty());
}

BOOST_AUTO_TEST_CASE(two_iterations_race_unless_something_waits_at_the_end) {
  Recorded a;
  a.copy(R::free_two, R::device, R::pinned);
  a.record(1, R::free_two);
  a.wait(1, R::free_one);
  a.memset(R::free_one, R::device);
  auto found = races(a);
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found[0].next_iteration);
  BOOST_TEST(found[0].certain);
  BOOST_TEST(found[0].earlier.call == 3u);
  BOOST_TEST(found[0].later.call == 0u);
  BOOST_TEST(within(a).empty());

  Recorded alternating = a;  // two alternating buffers: which one is unknown
  alternating.recording.calls[3].pointers = Variation::alternates;
  BOOST_TEST(races(alternating).empty());
  alternating = a;
  alternating.recording.calls[0].pointers = Variation::changes;
  BOOST_TEST(races(alternating).empty());
  Recorded segment = a;
  segment.recording.found = Found::none;
  BOOST_TEST(races(segment).empty());
  Recorded range = a;  // the program's calls between two ranges are not recorded
  range.recording.found = Found::range;
  BOOST_TEST(races(range).empty());
  Recorded own = a;
  own.recording.memory[R::device].within = true;
  BOOST_TEST(races(own).empty());
}

BOOST_AUTO_TEST_CASE(a_race_within_an_iteration_is_not_told_again_for_the_next) {
  Recorded a;
  a.memset(R::free_one, R::device);
  a.memset(R::free_two, R::device);
  BOOST_TEST(races(a).size() == 1u);
}

BOOST_AUTO_TEST_CASE(pairs_that_are_alike_are_counted) {
  Recorded a;
  for (int i = 0; i < 3; ++i) a.memset(R::free_one, R::device);
  for (int i = 0; i < 2; ++i) a.memset(R::free_two, R::device);
  const auto found = within(a);
  BOOST_REQUIRE(found.size() == 1u);
  BOOST_TEST(found[0].count == 6u);
}

BOOST_AUTO_TEST_CASE(a_pitched_range_or_an_unknown_call_leaves_no_certainty) {
  Recorded pitched;
  pitched.copy(R::free_one, R::pinned, R::device).bytes = 1024;
  pitched.memset(R::free_two, R::device);
  BOOST_TEST(!within(pitched).at(0).certain);
  Recorded second;
  second.copy(R::free_one, R::pinned, R::device);
  second.memset(R::free_two, R::device).bytes = 1024;
  BOOST_TEST(!within(second).at(0).certain);
  Recorded other;
  other.memset(R::free_one, R::device);
  other.add(CallKind::other, "cuStreamWaitValue32", R::free_two);
  other.memset(R::free_two, R::device);
  BOOST_TEST(!within(other).at(0).certain);
  Recorded queried;
  queried.memset(R::free_one, R::device);
  queried.memset(R::free_two, R::device);
  BOOST_TEST(within(queried).at(0).certain);
  queried.recording.queried = true;
  BOOST_TEST(!within(queried).at(0).certain);
}

BOOST_AUTO_TEST_CASE(memory_that_is_allocated_again_is_new) {
  Recorded a;
  a.memset(R::free_one, R::device);
  auto& allocation = a.add(CallKind::allocate_async, "cuMemAllocAsync", R::free_two);
  allocation.uses = {{R::device, 0, 1 << 20, Use::may_use}};
  a.memset(R::free_two, R::device);
  BOOST_TEST(within(a).empty());
  a.recording.calls[1].kind = CallKind::allocate;
  BOOST_TEST(within(a).empty());
  a.recording.calls[1].uses[0].memory = R::other_device;  // memory not allocated again is the same
  BOOST_TEST(within(a).size() == 1u);
}

BOOST_AUTO_TEST_CASE(ten_thousand_operations_take_no_long_time) {
  Recorded a;
  for (int i = 0; i < 2500; ++i) {
    a.kernel(R::free_one, {R::device, R::other_device});
    a.record(1, R::free_one);
    a.wait(1, R::free_two);
    a.kernel(R::free_two, {R::device});
  }
  const Races found = races_in(a.recording, HappensBefore(a.recording, 2));
  BOOST_TEST(found.found.size() == 1u);  // nothing orders a launch behind earlier ones elsewhere
  BOOST_TEST(!found.cut);
}

BOOST_AUTO_TEST_SUITE_END()
