// Items of a loop, and the device's clock beside the host's.
#include "common/measure/loop/bench/items.hpp"

#include "common/measure/loop/bench/device_clock.hpp"
#include "kernels/mix.hpp"
#include "tests/framework.hpp"

BOOST_AUTO_TEST_SUITE(loop_bench)

constexpr Loop loop{
    .name = {}, .lanes = 3, .in_bytes = 256, .out_bytes = 64, .kernel_us = 1, .rounds = 5};
using Block = std::vector<std::uint32_t>;

std::byte* bytes_of(Block& block) { return reinterpret_cast<std::byte*>(block.data()); }

Block parameters_of(const Items& items, std::uint64_t sequence) {
  Block in(loop.in_bytes / 4);
  items.write(sequence, bytes_of(in));
  return in;
}

/// Returns the kernel's result, by its definition.
Block result_of(const Items& items, std::uint64_t sequence) {
  Block out(loop.out_bytes / 4);
  const Block in = parameters_of(items, sequence);
  for (std::size_t i = 0; i < in.size(); ++i) {
    out[i % out.size()] += mix(in[i] ^ salt(0), loop.rounds);
  }
  return out;
}

BOOST_AUTO_TEST_CASE(a_result_holds_its_sequence_number) {
  const Items items(loop, 7);
  for (const std::uint64_t sequence : {0ull, 1ull, 63ull, 64ull, 4096ull, 123'456'789ull}) {
    Block out = result_of(items, sequence);
    const auto held = items.sequence_in(bytes_of(out));
    BOOST_REQUIRE(held.has_value());
    BOOST_TEST(*held == sequence);
    BOOST_TEST((items.check(sequence, bytes_of(out)) == Outcome::right));
  }
}

BOOST_AUTO_TEST_CASE(the_result_of_another_item_is_told_apart) {
  const Items items(loop, 7);
  Block out = result_of(items, 5);
  BOOST_TEST((items.check(8, bytes_of(out)) == Outcome::other_item));
}

BOOST_AUTO_TEST_CASE(a_result_cannot_be_taken_twice) {
  const Items items(loop, 7);
  Block out = result_of(items, 5);
  BOOST_TEST((items.take(5, bytes_of(out)) == Outcome::right));
  BOOST_TEST((items.take(5, bytes_of(out)) == Outcome::wrong));
}

BOOST_AUTO_TEST_CASE(one_wrong_bit_anywhere_is_found) {
  const Items items(loop, 7);
  const Block right = result_of(items, 9);
  for (std::size_t bit = 0; bit < 32 * right.size(); ++bit) {
    Block out = right;
    out[bit / 32] ^= 1u << (bit % 32);
    BOOST_TEST((items.check(9, bytes_of(out)) != Outcome::right), "bit " << bit);
  }
}

BOOST_AUTO_TEST_CASE(a_lane_s_next_item_changes_every_word_of_the_result_but_high_digits) {
  const Items items(loop, 7);
  for (std::uint64_t item = 0; item < 130; ++item) {
    const Block one = result_of(items, items.sequence(1, item));
    const Block next = result_of(items, items.sequence(1, item + 1));
    for (std::size_t i = Items::digits; i < one.size(); ++i) BOOST_TEST(one[i] != next[i]);
    BOOST_TEST(one[0] != next[0]);
  }
}

BOOST_AUTO_TEST_CASE(no_two_items_share_a_sequence_number) {
  const Items items(loop, 7);
  std::set<std::uint64_t> all;
  for (std::uint32_t lane = 0; lane < loop.lanes; ++lane) {
    for (std::uint64_t item = 0; item < 10; ++item) all.insert(items.sequence(lane, item));
  }
  BOOST_TEST(all.size() == 30u);
}

BOOST_AUTO_TEST_CASE(memory_that_was_never_written_is_wrong) {
  const Items items(loop, 7);
  Block zero(loop.out_bytes / 4);
  BOOST_TEST((items.check(0, bytes_of(zero)) == Outcome::wrong));
}

BOOST_AUTO_TEST_CASE(a_result_too_small_for_a_sequence_number_is_refused) {
  Loop small = loop;
  small.out_bytes = 16;  // a divisor, and less than the digits take
  BOOST_CHECK_THROW(Items(small, 7), std::invalid_argument);
  small.out_bytes = 60;
  BOOST_CHECK_THROW(Items(small, 7), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(the_words_without_a_digit_differ_among_neighbours) {
  Loop wide = loop;
  for (const std::uint32_t lanes : {1u, 3u, 64u}) {
    wide.lanes = lanes;
    const Items items(wide, 7);
    for (const std::uint64_t item : {0u, 1u, 62u, 63u, 64u}) {
      const Block one = parameters_of(items, items.sequence(0, item));
      const Block next = parameters_of(items, items.sequence(0, item + 1));
      for (std::size_t i = 0; i < one.size(); ++i) {
        if (i % (loop.out_bytes / 4) < Items::digits) continue;
        BOOST_TEST(one[i] != next[i], "word " << i << ", " << lanes << " lanes");
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_result_of_nothing_but_a_sequence_number_is_checked) {
  Loop least = loop;
  least.in_bytes = least.out_bytes = 4 * Items::digits;
  const Items items(least, 7);
  Block in(Items::digits), out(Items::digits);
  items.write(4711, bytes_of(in));
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = mix(in[i] ^ salt(0), loop.rounds);
  BOOST_TEST((items.check(4711, bytes_of(out)) == Outcome::right));
  ++out[5];
  BOOST_TEST((items.check(4711, bytes_of(out)) == Outcome::wrong));
}

BOOST_AUTO_TEST_CASE(blocks_too_large_to_be_kept_for_every_shift_are_refused) {
  Loop large = loop;
  large.in_bytes = Items::most_bytes - 256;
  large.out_bytes = 256;
  BOOST_CHECK_NO_THROW(Items(large, 7));
  large.in_bytes += 256;
  BOOST_CHECK_THROW(Items(large, 7), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(the_narrowest_brackets_bound_the_offset) {
  ClockOffset offset;
  offset.add(100, 3, 110);    // 97 to 107
  offset.add(200, 99, 203);   // 101 to 104
  offset.add(300, 199, 330);  // 101 to 131
  BOOST_TEST(offset.us() == 102.5);
  BOOST_TEST(offset.error_us() == 1.5);
}

BOOST_AUTO_TEST_CASE(the_offset_drifts_along_a_line) {
  BOOST_TEST(offset_at(150, 100, 10, 200, 14) == 12);
  BOOST_TEST(offset_at(150, 100, 10, 100, 14) == 10);
}

BOOST_AUTO_TEST_SUITE_END()
