// The memory that a replay keeps, on a fake driver.
#include "common/application/replay/iteration/replayed_memory.hpp"

#include <boost/test/unit_test.hpp>
#include <set>
#include <span>
#include <utility>

#include "common/application/replay/iteration/replayed_call.hpp"
#include "tests/application/replay/fake/fake_program.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(memory_of_a_replay)

namespace {

constexpr std::uint64_t mebibyte = 1 << 20;

/// A launch whose only argument is an address.
struct Launch {
  explicit Launch(std::uint64_t argument) : address(argument) {
    ObservedCall call{.kind = CallKind::kernel};
    call.launch.arguments = std::as_bytes(std::span(&address, 1));
    iteration.calls.push_back(call);
  }
  std::uint64_t address;
  ObservedIteration iteration;

  /// Makes the iteration allocate a mebibyte first.
  void allocates(std::uint64_t memory) {
    iteration.calls.insert(iteration.calls.begin(),
                           {.kind = CallKind::allocate, .destination = memory, .bytes = mebibyte});
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(all_device_memory_and_the_pinned_memory_that_kernels_reach_are_kept) {
  fake::Program program;
  const std::uint64_t device = program.device(mebibyte), reached = program.pinned(mebibyte),
                      other = program.pinned(mebibyte);
  const std::vector<MemoryFacts> live{{MemoryKind::device, device, mebibyte},
                                      {MemoryKind::pinned, reached, mebibyte},
                                      {MemoryKind::pinned, other, mebibyte}};
  const Launch launch(reached + mebibyte - 1);
  std::set<std::uint64_t> kept;
  for (const MemoryFacts& memory : replayed_memory(live, {}, launch.iteration, 2 * mebibyte)) {
    kept.insert(memory.base);
  }
  BOOST_TEST((kept == std::set{device, reached}));
}

BOOST_AUTO_TEST_CASE(memory_that_only_an_argument_names_is_kept_and_the_iteration_s_own_is_not) {
  fake::Program program;
  const std::uint64_t device = program.device(mebibyte);
  Launch launch(device + 8);
  const auto kept = replayed_memory({}, {}, launch.iteration, mebibyte);
  BOOST_REQUIRE(kept.size() == 1u);
  BOOST_TEST(kept[0].base == device);
  BOOST_TEST(kept[0].bytes == mebibyte);
  launch.allocates(device);
  BOOST_TEST(replayed_memory({}, {}, launch.iteration, mebibyte).empty());
}

BOOST_AUTO_TEST_CASE(an_address_right_behind_the_iteration_s_own_memory_is_where_a_range_ends) {
  fake::Program program;
  const std::uint64_t end = program.device(mebibyte);
  Launch launch(end);
  launch.allocates(end - mebibyte);
  BOOST_TEST(replayed_memory({}, {}, launch.iteration, mebibyte).empty());
  BOOST_CHECK_NO_THROW(require_kept(launch.iteration, {}));
}

BOOST_AUTO_TEST_CASE(more_memory_than_a_snapshot_may_be_is_refused_with_both_sizes) {
  fake::Program program;
  const std::uint64_t device = program.device(2 * mebibyte);
  const std::vector<MemoryFacts> live{{MemoryKind::device, device, 2 * mebibyte}};
  BOOST_TEST(refusal<NotPossible>([&] { replayed_memory(live, {}, {}, mebibyte); }) ==
             "its memory is 2 MiB, and a snapshot may be 1 MiB; see --snapshot");
}

BOOST_AUTO_TEST_CASE(memory_that_was_released_unseen_is_refused) {
  fake::Program program;
  const std::uint64_t device = program.device(mebibyte);
  program.free(device);
  BOOST_CHECK_THROW(replayed_memory({{MemoryKind::device, device, mebibyte}}, {}, {}, mebibyte),
                    NotPossible);
}

BOOST_AUTO_TEST_CASE(memory_that_a_kernel_reaches_only_now_is_refused) {
  fake::Program program;
  const std::uint64_t kept = program.device(mebibyte), own = program.device(mebibyte);
  const std::vector<MemoryFacts> all{{MemoryKind::device, kept, mebibyte}};
  BOOST_CHECK_NO_THROW(require_kept(Launch(kept + mebibyte - 1).iteration, all));
  BOOST_CHECK_NO_THROW(require_kept(Launch(kept + mebibyte).iteration, all));   // an end
  BOOST_CHECK_NO_THROW(require_kept(Launch(0x7ff0'0000'0000).iteration, all));  // no memory
  BOOST_CHECK_NO_THROW(require_kept(Launch(8).iteration, all));
  for (const std::uint64_t address : {program.device(mebibyte), program.pinned(mebibyte)}) {
    BOOST_CHECK_THROW(require_kept(Launch(address + 8).iteration, all), NotPossible);
  }
  Launch launch(own + 8);
  BOOST_CHECK_THROW(require_kept(launch.iteration, all), NotPossible);
  launch.allocates(own);
  BOOST_CHECK_NO_THROW(require_kept(launch.iteration, all));
}

BOOST_AUTO_TEST_CASE(more_copied_memory_than_a_snapshot_may_be_is_refused) {
  ApplicationRecording recording;
  recording.memory = {{MemoryKind::pinned, mebibyte, false}, {MemoryKind::device, mebibyte, false}};
  RecordedCall copy;
  copy.kind = CallKind::copy;
  copy.bytes = mebibyte;
  copy.uses = {{0, 0, mebibyte, Use::reads}, {1, 0, mebibyte, Use::writes}};
  recording.calls = {copy, copy};
  BOOST_CHECK_NO_THROW(require_small_copies(recording, 2 * mebibyte));
  recording.graphs.push_back({{node_of(copy)}});
  recording.calls.emplace_back().kind = CallKind::graph_launch;
  recording.calls.back().graph = 0;
  BOOST_TEST(refusal<NotPossible>([&] { require_small_copies(recording, 2 * mebibyte); }) ==
             "it copies 3 MiB to and from the host, and a snapshot may be 2 MiB; see --snapshot");
}

BOOST_AUTO_TEST_CASE(where_an_allocation_of_the_iteration_ends_moves_with_it) {
  ReplayedAllocations own({{MemoryKind::device, 0x3000, 0x1000}});
  own.add(0x1000, 0x1000);
  own.add(0x2000, 0x1000);
  const auto where = [&](std::uint64_t address) {
    const auto found = own.find(address);
    return found ? std::pair<int, int>(static_cast<int>(found->allocation),
                                       static_cast<int>(found->offset))
                 : std::pair(-1, -1);
  };
  BOOST_TEST((where(0x1fff) == std::pair(0, 0xfff)));
  BOOST_TEST((where(0x2000) == std::pair(1, 0)));    // the next one begins there
  BOOST_TEST((where(0x3000) == std::pair(-1, -1)));  // and other memory there
  own.remove(0x2000);
  BOOST_TEST((where(0x2000) == std::pair(0, 0x1000)));
  const std::uint64_t words[] = {1, 0x1800}, none[] = {1, 0x3000};
  BOOST_TEST(own.any_in(std::as_bytes(std::span(words))));
  BOOST_TEST(!own.any_in(std::as_bytes(std::span(words).first(1))));
  BOOST_TEST(!own.any_in(std::as_bytes(std::span(none))));
}

BOOST_AUTO_TEST_SUITE_END()
