// Properties that follow from the kind of a call.
#include "common/application/iteration/call_kinds.hpp"

#include "tests/framework.hpp"

BOOST_AUTO_TEST_SUITE(call_kinds)

/// Returns the names of the kinds for which it holds, in order.
std::string those(auto holds) {
  std::string names;
  for (const CallKind kind : enumerators<CallKind>) {
    if (holds(kind)) names += (names.empty() ? "" : ", ") + std::string(name_of(kind));
  }
  return names;
}

BOOST_AUTO_TEST_CASE(every_kind_has_a_name_of_its_own) {
  std::set<std::string> names;
  for (const CallKind kind : enumerators<CallKind>) names.insert(name_of(kind));
  BOOST_TEST(names.size() == 21u);
  BOOST_TEST(!names.contains(""));
  BOOST_TEST(name_of(static_cast<CallKind>(static_cast<int>(CallKind::other) + 1)) == "");
}

BOOST_AUTO_TEST_CASE(operations_and_events_act_in_streams) {
  BOOST_TEST(those(is_operation) ==
             "kernel, copy, memset, graph launch, host function, stream-ordered allocation, "
             "stream-ordered free");
  BOOST_TEST(those([](CallKind kind) { return acts_in_stream(kind) && !is_operation(kind); }) ==
             "event record, stream wait");
  BOOST_TEST(those([](CallKind kind) { return names_stream(kind) && !acts_in_stream(kind); }) ==
             "stream synchronize, query");
  BOOST_TEST(those(names_event) == "event record, stream wait, event synchronize");
}

BOOST_AUTO_TEST_CASE(nodes_of_graphs_are_some_of_the_operations) {
  BOOST_TEST(those([](CallKind kind) { return traits_of(kind).operation.has_value(); }) ==
             "kernel, copy, memset, graph launch");
  BOOST_TEST(those(moves_bytes) == "copy, memset");
}

BOOST_AUTO_TEST_CASE(calls_reach_their_ranges_or_any_memory_or_none) {
  const auto reaching = [](MemoryReach reach) {
    return those([=](CallKind kind) { return traits_of(kind).reach == reach; });
  };
  BOOST_TEST(reaching(MemoryReach::anything) ==
             "kernel, graph launch, host function, graph change, other");
  BOOST_TEST(reaching(MemoryReach::ranges) ==
             "copy, memset, allocation, free, stream-ordered allocation, stream-ordered free, "
             "host allocation, host free, memory mapping, memory unmapping");
}

BOOST_AUTO_TEST_CASE(some_calls_wait_whatever_memory_they_use) {
  BOOST_TEST(those([](CallKind kind) { return traits_of(kind).wait != HostWait::nothing; }) ==
             "stream synchronize, event synchronize, context synchronize, query, free, host free");
  BOOST_TEST(those(only_waits) == "stream synchronize, event synchronize, context synchronize");
}

BOOST_AUTO_TEST_CASE(each_allocation_has_its_free) {
  BOOST_TEST(those(allocates) ==
             "allocation, stream-ordered allocation, host allocation, memory mapping");
  BOOST_TEST(those(frees) == "free, stream-ordered free, host free, memory unmapping");
  for (const MemoryKind kind :
       {MemoryKind::device, MemoryKind::pool, MemoryKind::pinned, MemoryKind::mapped}) {
    BOOST_TEST_INFO_SCOPE(name_of(kind));
    const auto made = [=](CallKind call) { return allocated_kind(call) == kind; };
    BOOST_TEST(those([=](CallKind call) { return made(call) && allocates(call); }) != "");
    BOOST_TEST(those([=](CallKind call) { return made(call) && frees(call); }) != "");
  }
}

BOOST_AUTO_TEST_SUITE_END()
