// Which memory a replay keeps, on a made-up driver.
#include "common/application/replay/memory/replayed_memory.hpp"

#include <boost/test/unit_test.hpp>
#include <set>

#include "common/text/exit_code.hpp"
#include "tests/application/replay/made_up/made_up_program.hpp"

using namespace trilane;

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
};

}  // namespace

BOOST_AUTO_TEST_SUITE(memory_of_a_replay)

BOOST_AUTO_TEST_CASE(all_device_memory_and_the_pinned_memory_that_kernels_reach_are_kept) {
  made_up::Program program;
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

BOOST_AUTO_TEST_CASE(more_memory_than_a_snapshot_may_be_is_refused_with_both_sizes) {
  made_up::Program program;
  const std::uint64_t device = program.device(2 * mebibyte);
  BOOST_CHECK_EXCEPTION(
      replayed_memory({{MemoryKind::device, device, 2 * mebibyte}}, {}, {}, mebibyte), NotPossible,
      [](const NotPossible& refusal) {
        return std::string(refusal.what()) ==
               "its memory is 2 MiB, and a snapshot may be 1 MiB; see --snapshot";
      });
}

BOOST_AUTO_TEST_CASE(memory_that_was_released_unseen_is_refused) {
  made_up::Program program;
  const std::uint64_t device = program.device(mebibyte);
  program.free(device);
  BOOST_CHECK_THROW(replayed_memory({{MemoryKind::device, device, mebibyte}}, {}, {}, mebibyte),
                    NotPossible);
}

BOOST_AUTO_TEST_SUITE_END()
