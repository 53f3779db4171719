#include "common/model/workload/reference.hpp"

#include "kernels/mix.hpp"
#include "tests/framework.hpp"

BOOST_AUTO_TEST_SUITE(reference)

using Words = std::vector<std::uint32_t>;

std::byte* bytes_of(Words& words) { return reinterpret_cast<std::byte*>(words.data()); }

/// Returns a workload by its sizes in words.
Workload shape(std::uint64_t inputs, std::uint64_t chunk, std::uint64_t results,
               std::uint32_t depth = 1, std::uint32_t rounds = 1) {
  Workload workload;
  workload.bytes = 4 * inputs;
  workload.chunk_bytes = 4 * chunk;
  workload.result_bytes = 4 * results;
  workload.depth = depth;
  workload.rounds = rounds;
  return workload;
}

/// The design's formula, word for word, with offsets computed here.
Words naive(const Workload& workload, const Words& in) {
  const std::size_t chunk_words = workload.chunk_bytes / 4;
  Words out;
  for (std::size_t begin = 0; begin < in.size(); begin += chunk_words) {
    const std::size_t words = std::min(chunk_words, in.size() - begin);
    Words result(std::min<std::size_t>(workload.result_bytes / 4, words), 0);
    for (std::uint32_t k = 0; k < workload.depth; ++k) {
      for (std::size_t i = 0; i < words; ++i) {
        result[i % result.size()] += mix(in[begin + i] ^ salt(k), workload.rounds);
      }
    }
    out.insert(out.end(), result.begin(), result.end());
  }
  return out;
}

BOOST_AUTO_TEST_CASE(agrees_with_the_formula_on_awkward_shapes) {
  const std::array shapes = {
      shape(1, 1, 1),           // one element
      shape(1, 7, 7),           // a chunk longer than the input
      shape(4096, 512, 512),    // as many outputs as inputs
      shape(1001, 100, 100),    // a last chunk of one word
      shape(1001, 100, 37),     // outputs do not divide inputs; the last chunk cuts its result
      shape(1000, 128, 1),      // everything into one word
      shape(999, 333, 332),     // a second segment of one word
      shape(777, 64, 3, 5),     // several kernels
      shape(640, 64, 64, 3, 7)  // and rounds
  };
  for (const Workload& workload : shapes) {
    BOOST_TEST_CONTEXT(workload.bytes << '/' << workload.chunk_bytes << '/'
                                      << workload.result_bytes) {
      Reference reference(workload, 42);
      Words in(workload.bytes / 4), expected(workload.result_total() / 4);
      for (int pass = 0; pass < 3; ++pass) {
        std::fill(expected.begin(), expected.end(), 0xabababab);  // draw() must not rely on zeros
        reference.draw(bytes_of(in), bytes_of(expected));
        BOOST_TEST(expected == naive(workload, in), boost::test_tools::per_element());
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(large_shapes_are_drawn_in_pieces_and_still_agree_with_the_formula) {
  constexpr std::uint64_t large = 3 << 19;                         // words: several pieces
  const std::array shapes = {shape(large, large, large),           // one chunk, cut by its outputs
                             shape(large, large, 5000),            // pieces that cross blocks
                             shape(large, large, 3),               // too narrow to be cut
                             shape(large, large / 2 - 1, 40'001),  // a last chunk of two words
                             shape(large, 1000, 1000)};            // many chunks
  for (const Workload& workload : shapes) {
    Reference reference(workload, 42);
    Words in(workload.bytes / 4), expected(workload.result_total() / 4, 0xabababab);
    reference.draw(bytes_of(in), bytes_of(expected));
    BOOST_TEST((expected == naive(workload, in)), workload.result_bytes);
    // No piece repeats another.
    const std::set<std::uint32_t> used(in.begin(), in.end());
    BOOST_TEST(used.size() == Reference::alphabet_size);
    BOOST_TEST(!std::equal(in.begin(), in.begin() + 1000, in.begin() + large / 2));
  }
}

BOOST_AUTO_TEST_CASE(large_outputs_are_poisoned_and_compared_completely) {
  const std::size_t words = 5 << 18;
  Words expected(words, 7), out(words, 7);
  poison(bytes_of(out), 4 * words, bytes_of(expected));
  BOOST_TEST((out == Words(words, ~7u)));
  const auto all = compare(bytes_of(out), bytes_of(expected), 4 * words);
  BOOST_REQUIRE(all.has_value());
  BOOST_TEST(all->words == words);
  BOOST_TEST(all->offset == 0u);
  out = expected;
  BOOST_TEST(!compare(bytes_of(out), bytes_of(expected), 4 * words));
  for (const std::size_t place : {words - 1, words / 2, std::size_t{300'000}}) {
    out[place] = 9;
    const auto wrong = compare(bytes_of(out), bytes_of(expected), 4 * words);
    BOOST_REQUIRE(wrong.has_value());
    BOOST_TEST(wrong->offset == 4 * place);
    BOOST_TEST(wrong->got == 9u);
    BOOST_TEST(wrong->wanted == 7u);
  }
  BOOST_TEST(compare(bytes_of(out), bytes_of(expected), 4 * words)->words == 3u);
}

BOOST_AUTO_TEST_CASE(draws_new_input_each_time_and_the_same_from_the_same_seed) {
  const Workload workload = shape(10000, 1000, 1000);
  Reference one(workload, 1), same(workload, 1), other(workload, 2);
  Words first(10000), second(10000), again(10000), different(10000), expected(10000);
  one.draw(bytes_of(first), bytes_of(expected));
  one.draw(bytes_of(second), bytes_of(expected));
  same.draw(bytes_of(again), bytes_of(expected));
  other.draw(bytes_of(different), bytes_of(expected));
  std::size_t equal = 0;
  for (std::size_t i = 0; i < first.size(); ++i) equal += first[i] == second[i];
  BOOST_TEST(equal < 30u);  // 10000 / 4096 by chance
  BOOST_TEST(first == again);
  BOOST_TEST(first != different);
}

BOOST_AUTO_TEST_CASE(uses_the_whole_alphabet_and_no_more) {
  const Workload workload = shape(100000, 100000, 1);
  Reference reference(workload, 3);
  Words in(100000), expected(1);
  reference.draw(bytes_of(in), bytes_of(expected));
  std::sort(in.begin(), in.end());
  const auto letters = std::unique(in.begin(), in.end()) - in.begin();
  BOOST_TEST(letters == 4096);
}

BOOST_AUTO_TEST_CASE(with_fewer_letters_it_is_as_right) {
  const Workload workload = shape(10000, 1000, 100, 2, 3);
  Reference reference(workload, 3, 64);
  Words in(10000), expected(1000);
  reference.draw(bytes_of(in), bytes_of(expected));
  BOOST_TEST(expected == naive(workload, in), boost::test_tools::per_element());
  BOOST_TEST(std::set(in.begin(), in.end()).size() == 64u);
}

BOOST_AUTO_TEST_CASE(draws_words_of_the_input_independently) {
  // Words at any distance, within and beyond one 64-bit draw, form new pairs: of 100000 pairs out
  // of 4096 * 4096 about 300 occur twice by chance.
  const Workload workload = shape(100000, 100000, 1);
  Reference reference(workload, 4);
  Words in(100000), expected(1);
  reference.draw(bytes_of(in), bytes_of(expected));
  for (std::size_t distance = 1; distance <= 10; ++distance) {
    std::set<std::uint64_t> pairs;
    for (std::size_t i = distance; i < in.size(); ++i) {
      pairs.insert(std::uint64_t{in[i]} << 32 | in[i - distance]);
    }
    BOOST_TEST(pairs.size() > 99000u);
  }
}

BOOST_AUTO_TEST_CASE(poison_differs_in_every_byte) {
  Words expected = {0, 0xffffffff, 0x12345678, 0x80000000}, out(4, 0);
  poison(bytes_of(out), 16, bytes_of(expected));
  for (std::size_t i = 0; i < 16; ++i) BOOST_TEST((bytes_of(out)[i] != bytes_of(expected)[i]));
  const auto mismatch = compare(bytes_of(out), bytes_of(expected), 16);
  BOOST_REQUIRE(mismatch.has_value());
  BOOST_TEST(mismatch->words == 4u);
}

BOOST_AUTO_TEST_CASE(poison_stays_inside) {
  Words expected(3, 5), out(3, 7);
  poison(bytes_of(out), 8, bytes_of(expected));
  BOOST_TEST(out[2] == 7u);
}

BOOST_AUTO_TEST_CASE(compare_finds_one_bit_anywhere) {
  constexpr std::size_t words = 1037;
  Words expected(words, 0x5a5a5a5a);
  BOOST_TEST(!compare(bytes_of(expected), bytes_of(expected), 4 * words).has_value());
  for (const std::size_t byte :
       {std::size_t{0}, std::size_t{3}, std::size_t{2049}, 4 * words - 1}) {
    Words out = expected;
    bytes_of(out)[byte] ^= std::byte{0x10};
    const auto mismatch = compare(bytes_of(out), bytes_of(expected), 4 * words);
    BOOST_REQUIRE(mismatch.has_value());
    BOOST_TEST(mismatch->offset == byte / 4 * 4);
    BOOST_TEST(mismatch->words == 1u);
    BOOST_TEST(mismatch->wanted == 0x5a5a5a5au);
    BOOST_TEST(mismatch->got == out[byte / 4]);
  }
}

BOOST_AUTO_TEST_CASE(compare_names_the_first_of_several) {
  Words expected = {1, 2, 3, 4, 5}, out = {1, 9, 3, 8, 7};
  const auto mismatch = compare(bytes_of(out), bytes_of(expected), 20);
  BOOST_REQUIRE(mismatch.has_value());
  BOOST_TEST(mismatch->offset == 4u);
  BOOST_TEST(mismatch->wanted == 2u);
  BOOST_TEST(mismatch->got == 9u);
  BOOST_TEST(mismatch->words == 3u);
}

BOOST_AUTO_TEST_CASE(parts_of_words_are_refused) {
  Words words(2, 0);
  BOOST_CHECK_THROW(compare(bytes_of(words), bytes_of(words), 7), std::invalid_argument);
  BOOST_CHECK_THROW(poison(bytes_of(words), 5, bytes_of(words)), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
