// Allocations by address.
#include "common/application/iteration/memory_map.hpp"

#include "tests/application/finding/fake_application.hpp"
#include "tests/framework.hpp"

BOOST_AUTO_TEST_SUITE(memory_map)

std::uint64_t base_at(const MemoryMap& map, std::uint64_t address) {
  const MemoryBlock* const block = map.find(address);
  return block == nullptr ? 0 : block->base;
}

BOOST_AUTO_TEST_CASE(an_address_lies_in_one_allocation_or_none) {
  MemoryMap map;
  BOOST_TEST(base_at(map, 100) == 0u);
  map.allocated(MemoryKind::device, 100, 50);
  map.allocated(MemoryKind::pinned, 150, 10);
  BOOST_TEST(base_at(map, 99) == 0u);
  BOOST_TEST(base_at(map, 100) == 100u);
  BOOST_TEST(base_at(map, 149) == 100u);
  BOOST_TEST(base_at(map, 150) == 150u);
  BOOST_TEST(base_at(map, 160) == 0u);
  BOOST_TEST(base_at(map, UINT64_MAX) == 0u);
  BOOST_TEST(!map.freed(101));
  BOOST_TEST(map.freed(100).value().bytes == 50u);
  BOOST_TEST(base_at(map, 120) == 0u);
  BOOST_TEST(map.all().size() == 1u);
}

BOOST_AUTO_TEST_CASE(what_an_allocation_overlaps_was_freed_unseen) {
  MemoryMap map;
  map.allocated(MemoryKind::device, 100, 50);
  map.allocated(MemoryKind::device, 150, 50);
  map.allocated(MemoryKind::device, 200, 50);
  map.allocated(MemoryKind::pool, 149, 2);
  BOOST_TEST(map.all().size() == 2u);
  BOOST_TEST(base_at(map, 100) == 0u);
  BOOST_TEST(base_at(map, 150) == 149u);
  BOOST_TEST(base_at(map, 200) == 200u);
  map.allocated(MemoryKind::pool, 200, 8);
  BOOST_TEST(map.all().size() == 2u);
  BOOST_TEST(base_at(map, 208) == 0u);
}

BOOST_AUTO_TEST_CASE(the_surroundings_are_asked_once_about_a_page) {
  FakeSurroundings surroundings;
  KnownMemory memory(surroundings);
  const std::uint64_t page = 0x7000'0000'0000;
  BOOST_TEST((memory.kind_of(page) == MemoryKind::pageable));
  BOOST_TEST((memory.kind_of(page + 4095) == MemoryKind::pageable));
  BOOST_TEST(surroundings.asked_memory == 1);
  BOOST_TEST(!memory.is_live(page));
  memory.note({.kind = CallKind::allocate_host, .destination = page, .bytes = 4096});
  BOOST_TEST((memory.kind_of(page + 1) == MemoryKind::pinned));
  BOOST_TEST(memory.is_live(page + 1));
  const ObservedCall free{.kind = CallKind::free_host, .destination = page};
  const MemoryBlock freed = memory.note(free);
  BOOST_TEST(!memory.is_live(page + 1));
  memory.undo(free, freed);
  BOOST_TEST(memory.is_live(page + 1));
}

BOOST_AUTO_TEST_SUITE_END()
