// Memory that is kept and brought back, on a made-up driver.
#include <sys/mman.h>

#include <boost/test/unit_test.hpp>
#include <cstring>

#include "common/application/replay/memory/restorer.hpp"
#include "tests/application/replay/made_up/made_up_program.hpp"

using namespace trilane;
using namespace trilane::made_up;

namespace {

constexpr std::size_t bytes = 4096;

/// Pinned memory on a page of its own, which the program has registered.
class Registered {
 public:
  Registered() : page_(mmap(nullptr, bytes, may_write, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {}
  Registered(const Registered&) = delete;
  Registered& operator=(const Registered&) = delete;
  ~Registered() { munmap(page_, bytes); }

  MemoryFacts facts() const {
    return {MemoryKind::pinned, reinterpret_cast<std::uint64_t>(page_), bytes};
  }
  std::byte* data() const { return static_cast<std::byte*>(page_); }
  /// A write ends the test from now on.
  void protect() { BOOST_REQUIRE(mprotect(page_, bytes, PROT_READ) == 0); }

 private:
  static constexpr int may_write = PROT_READ | PROT_WRITE;
  void* page_;
};

std::uint64_t write_combined() {
  void* memory = nullptr;
  TRILANE_DRIVER(cuMemHostAlloc, &memory, bytes, CU_MEMHOSTALLOC_WRITECOMBINED);
  return reinterpret_cast<std::uint64_t>(memory);
}

std::byte at(std::uint64_t address, std::size_t offset) {
  return reinterpret_cast<const std::byte*>(address)[offset];
}

}  // namespace

BOOST_AUTO_TEST_SUITE(snapshot)

BOOST_AUTO_TEST_CASE(host_memory_is_not_written_where_it_holds_the_same) {
  Program program;
  const std::uint64_t device = program.device(bytes);
  Registered host;
  const Snapshot snapshot({{MemoryKind::device, device, bytes}, host.facts()});
  const Restorer restorer(snapshot, nullptr);
  host.protect();
  std::memset(numbers_at(device), 1, bytes);
  restorer.restore();
  BOOST_TEST((at(device, 0) != std::byte{1}));
  std::memset(numbers_at(device), 1, bytes);
  snapshot.restore();
  BOOST_TEST((at(device, bytes - 1) != std::byte{1}));
}

BOOST_AUTO_TEST_CASE(all_kinds_of_memory_are_brought_back) {
  Program program;
  const std::uint64_t device = program.device(bytes), combined = write_combined();
  Registered host;
  std::memset(host.data(), 7, bytes);
  const std::vector<MemoryFacts> memory = {
      {MemoryKind::device, device, bytes}, host.facts(), {MemoryKind::pinned, combined, bytes}};
  const Snapshot snapshot(memory);
  const Restorer restorer(snapshot, nullptr);
  state().capacity = 0;
  const Restorer without_room(snapshot, nullptr);
  for (const Restorer* one : {&restorer, &without_room}) {
    for (const std::size_t offset : {std::size_t{0}, std::size_t{1000}, bytes - 1}) {
      for (const MemoryFacts& facts : memory) {
        reinterpret_cast<std::byte*>(facts.base)[offset] ^= std::byte{0xFF};
      }
    }
    one->restore();
    BOOST_TEST(snapshot.differences(Snapshot(memory)).empty());
  }
}

BOOST_AUTO_TEST_CASE(the_device_writes_host_memory_that_the_host_reads_slowly) {
  Program program;
  const std::uint64_t combined = write_combined(), pinned = program.pinned(bytes);
  const Snapshot snapshot({{MemoryKind::pinned, combined, bytes},
                           {MemoryKind::pinned, pinned, bytes},
                           {MemoryKind::device, program.device(bytes), bytes}});
  BOOST_TEST(!snapshot.is_the_hosts(0));
  BOOST_TEST(snapshot.is_the_hosts(1));
  BOOST_TEST(!snapshot.is_the_hosts(2));
  const Restorer restorer(snapshot, nullptr);
  const std::uint64_t copies = state().calls["cuMemcpyAsync"];
  restorer.restore();
  BOOST_TEST(state().calls["cuMemcpyAsync"] - copies == 2);
}

BOOST_AUTO_TEST_SUITE_END()
