// The passes of a candidate, on a fake driver.
#include <boost/test/unit_test.hpp>

#include "tests/application/replay/replayed.hpp"

using namespace trilane;
using namespace trilane::fake;

BOOST_AUTO_TEST_SUITE(replay_bench)

BOOST_AUTO_TEST_CASE(eight_passes_go_on_from_one_another) {
  Program program;
  const std::uint64_t a = program.device(8);
  const CUstream one = program.stream();
  std::vector<std::uint64_t> values;
  Kernel& count = program.kernel(
      1, [&](const Kernel::Words& words) { values.push_back(++*numbers_at(words[0])); });
  *numbers_at(a) = 0;
  const Taken taken = program.take([&](std::uint32_t) {
    program.launch(count, {a}, one);
    program.synchronize(one);
  });
  const std::uint64_t first = *numbers_at(a);
  const Expected expected = expected_now(taken);
  ReplayBench bench(taken.iteration, {ReplayWay::calls}, expected);
  bench.set_up(0);
  bench.pass(0);
  values.clear();
  for (int sample = 0; sample < 8; ++sample) bench.sample(0, 1);  // two passes each
  std::vector<std::uint64_t> passes;
  for (const std::uint64_t value : values) passes.push_back(value - first);
  BOOST_TEST(passes == (std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(it_works_in_a_stream_of_the_application_that_is_not_the_legacy_one) {
  Program program;
  const std::uint64_t a = program.device(bytes);
  const CUstream one = program.stream();
  const Taken both = program.take([&](std::uint32_t) {
    program.memset(a, 1, 4, bytes, nullptr);
    program.memset(a, 2, 4, bytes, one);
    program.synchronize();
  });
  BOOST_TEST(stream_of(both.iteration) == one);
  Program other;
  const std::uint64_t b = other.device(bytes);
  const Taken legacy = other.take([&](std::uint32_t) {
    other.memset(b, 1, 4, bytes, nullptr);
    other.synchronize();
  });
  BOOST_TEST(stream_of(legacy.iteration) == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
