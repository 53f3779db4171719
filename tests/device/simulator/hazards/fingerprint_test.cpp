#include "common/device/simulator/hazards/host_watch.hpp"

#include "tests/framework.hpp"

namespace trilane::simulator {

BOOST_AUTO_TEST_SUITE(fingerprint)

BOOST_AUTO_TEST_CASE(every_byte_counts_for_the_fingerprint) {
  std::vector<unsigned char> bytes(300, 0);
  for (const std::size_t size : {1u, 7u, 8u, 64u, 65u, 299u}) {
    const Range range = range_of(&bytes[1], size);
    std::set<std::uint64_t> seen{fingerprint_of(range)};
    std::size_t different = 1;
    for (std::size_t i = 1; i <= size; ++i) {
      for (const int bit : {0, 7}) {
        bytes[i] = static_cast<unsigned char>(1 << bit);
        seen.insert(fingerprint_of(range));
        ++different;
      }
      bytes[i] = 0;
    }
    BOOST_TEST(seen.size() == different);
  }
}

BOOST_AUTO_TEST_CASE(changes_do_not_cancel_each_other_in_the_fingerprint) {
  std::vector<std::uint64_t> words(1024, 0);
  const Range range = range_of(words.data(), words.size() * sizeof words[0]);
  const std::uint64_t before = fingerprint_of(range);
  for (const std::size_t second : {1u, 8u, 16u, 512u}) {
    words[0] = words[second] = std::uint64_t{1} << 63;
    BOOST_TEST(fingerprint_of(range) != before);
    words[0] = words[second] = 0;
  }
  words[8] = 1;
  const std::uint64_t one = fingerprint_of(range);
  words[8] = 0;
  words[16] = 1;
  BOOST_TEST(fingerprint_of(range) != one);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator
