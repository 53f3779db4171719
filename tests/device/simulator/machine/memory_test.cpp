#include "common/device/simulator/operations/memory.hpp"

#include "common/model/workload/random.hpp"
#include "tests/framework.hpp"

namespace trilane::simulator {

BOOST_AUTO_TEST_SUITE(memory)

namespace {

constexpr std::uint64_t gib = 1 << 30;

void* pointer_to(std::uintptr_t address) { return reinterpret_cast<void*>(address); }
std::byte& byte_at(std::uintptr_t address) { return *reinterpret_cast<std::byte*>(address); }

}  // namespace

BOOST_AUTO_TEST_CASE(a_block_is_found_by_every_address_in_it_and_by_no_other) {
  Memory memory(gib);
  const Block block = memory.allocate(1000, Place::pool, 7).value();
  BOOST_TEST(block.range.size() == 1000u);
  BOOST_TEST(block.range.begin % 256 == 0u);
  for (const std::uint64_t offset : {0, 1, 999}) {
    const Block found = memory.find(pointer_to(block.range.begin + offset));
    BOOST_TEST((found.range == block.range));
    BOOST_TEST((found.place == Place::pool));
    BOOST_TEST(found.owner == 7u);
  }
  for (const std::uintptr_t outside : {block.range.begin - 1, block.range.end}) {
    BOOST_TEST((memory.find(pointer_to(outside)).place == Place::pageable));
    BOOST_TEST((memory.find(pointer_to(outside)).range == simulator::Range{}));
  }
}

BOOST_AUTO_TEST_CASE(the_device_runs_out_of_memory_and_the_host_does_not_count) {
  Memory memory(1000);
  BOOST_TEST(!memory.allocate(1001, Place::device).has_value());
  const Block first = memory.allocate(600, Place::device).value();
  BOOST_TEST(memory.device_free() == 400u);
  BOOST_TEST(memory.device_total() == 1000u);
  BOOST_TEST(memory.allocate(900, Place::pool).has_value());  // addresses alone
  BOOST_TEST(memory.allocate(900, Place::graph).has_value());
  BOOST_TEST(memory.device_free() == 400u);
  BOOST_TEST(!memory.take(401));
  BOOST_TEST(memory.take(400));
  BOOST_TEST(memory.device_free() == 0u);
  memory.give_back(400);
  BOOST_TEST(memory.allocate(5000, Place::pinned).has_value());
  BOOST_TEST(memory.release(pointer_to(first.range.begin)));
  BOOST_TEST(memory.device_free() == 1000u);
}

BOOST_AUTO_TEST_CASE(what_no_machine_has_gives_no_block) {
  Memory memory(gib);
  for (const Place place : {Place::device, Place::pinned}) {
    for (const std::uint64_t bytes : {std::uint64_t{1} << 60, ~std::uint64_t{0}}) {
      BOOST_TEST(!memory.allocate(bytes, place).has_value());
    }
  }
}

BOOST_AUTO_TEST_CASE(gigabytes_can_be_had_without_being_there) {
  Memory memory(200 * gib);
  const Block block = memory.allocate(150 * gib, Place::device).value();
  byte_at(block.range.begin) = std::byte{1};
  byte_at(block.range.end - 1) = std::byte{2};
  BOOST_TEST((byte_at(block.range.begin) == std::byte{1}));
}

BOOST_AUTO_TEST_CASE(only_a_first_address_can_be_released_and_only_once) {
  Memory memory(gib);
  const Block block = memory.allocate(1000, Place::device).value();
  BOOST_TEST(!memory.release(pointer_to(block.range.begin + 1)));
  BOOST_TEST(memory.blocks().size() == 1u);
  BOOST_TEST(memory.release(pointer_to(block.range.begin)));
  BOOST_TEST(!memory.release(pointer_to(block.range.begin)));
  BOOST_TEST(memory.blocks().empty());
  BOOST_TEST((memory.find(pointer_to(block.range.begin)).place == Place::pageable));
  BOOST_TEST(memory.is_own(pointer_to(block.range.begin)));  // but not anyone else's
  BOOST_TEST(!memory.is_own(&memory));
}

BOOST_AUTO_TEST_CASE(a_released_address_is_not_handed_out_at_once_but_some_time) {
  Memory memory(gib);
  std::set<std::uintptr_t> addresses;
  std::uintptr_t last = 0;
  for (int i = 0; i < 5000; ++i) {
    const std::uintptr_t address = memory.allocate(4 << 20, Place::device)->range.begin;
    BOOST_TEST_REQUIRE(address != last);
    last = address;
    addresses.insert(address);
    memory.release(pointer_to(address));
  }
  BOOST_TEST(addresses.size() < 100u);
}

BOOST_AUTO_TEST_CASE(small_blocks_share_what_was_had_from_the_system) {
  Memory memory(gib);
  std::uintptr_t last = memory.allocate(100, Place::device)->range.begin;
  for (int i = 0; i < 100; ++i) {
    const std::uintptr_t next = memory.allocate(100, Place::device)->range.begin;
    BOOST_TEST(next == last + 256);
    last = next;
  }
}

BOOST_AUTO_TEST_CASE(registered_memory_stays_the_users) {
  Memory memory(gib);
  std::vector<std::byte> own(1000);
  memory.register_host(own.data(), own.size());
  BOOST_TEST((memory.find(&own[999]).place == Place::registered));
  BOOST_TEST((memory.find(&own[0]).range == range_of(own.data(), own.size())));
  BOOST_TEST(memory.device_free() == gib);
  BOOST_TEST(memory.release(own.data()));
  BOOST_TEST((memory.find(&own[0]).place == Place::pageable));
  for (int i = 0; i < 40; ++i) {
    const Block other = memory.allocate(100, Place::pinned).value();
    BOOST_TEST(!other.range.overlaps(range_of(own.data(), own.size())));
    memory.release(pointer_to(other.range.begin));
  }
}

BOOST_AUTO_TEST_CASE(blocks_never_overlap_and_keep_their_content_whatever_comes_and_goes) {
  Memory memory(gib);
  Random random(1);
  std::vector<std::pair<Block, std::byte>> live;
  for (int i = 0; i < 20000; ++i) {
    if (live.size() < 40 || random.below(2) == 0) {
      const std::uint64_t bytes = random.below(random.below(10) == 0 ? 3 << 20 : 3000);
      const std::byte mark{static_cast<unsigned char>(i)};
      const Block block = memory.allocate(bytes, Place::device).value();
      if (bytes > 0) byte_at(block.range.begin) = byte_at(block.range.end - 1) = mark;
      live.emplace_back(block, mark);
    }
    if (live.size() < 80) continue;
    std::swap(live[random.below(live.size())], live.back());
    const auto [block, mark] = live.back();
    if (block.range.size() > 0) {
      BOOST_TEST_REQUIRE((byte_at(block.range.begin) == mark));
      BOOST_TEST_REQUIRE((byte_at(block.range.end - 1) == mark));
    }
    BOOST_TEST_REQUIRE(memory.release(pointer_to(block.range.begin)));
    live.pop_back();
  }
  BOOST_TEST(memory.blocks().size() == live.size());
  std::uintptr_t end = 0;
  for (const auto& [begin, block] : memory.blocks()) {
    BOOST_TEST_REQUIRE(begin >= end);
    end = block.range.end;
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator
