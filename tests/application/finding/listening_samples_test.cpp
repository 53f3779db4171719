// The cost of listening, from fake stamps.
#include "common/application/finding/listening_samples.hpp"

#include <boost/test/unit_test.hpp>

using namespace trilane;
namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(listening_samples)

namespace {

/// Returns the costs for calls that each begin `between` after the previous one was left, and take
/// `length`. Every tenth is interrupted, and the first ten are slow.
std::optional<ListeningCosts> costs(std::size_t calls, double between, double length,
                                    double untraced) {
  ListeningSamples samples(calls);
  double now_us = 1e9;
  for (std::size_t i = 0; i < calls; ++i) {
    const double slow = i < 10 ? 2 : 0, interrupted = i % 10 == 7 ? 50 : 0;
    samples.begins(now_us += between + slow + interrupted);
    const double end_us = now_us += length + slow + interrupted;
    samples.ends(end_us, now_us += 0.02);
  }
  return samples.costs(untraced);
}

}  // namespace

BOOST_AUTO_TEST_CASE(costs_are_medians_of_warm_calls) {
  const ListeningCosts found = costs(40, 0.125, 0.25, 0.05).value();
  BOOST_TEST(found.between_us == 0.125, tt::tolerance(1e-5));
  BOOST_TEST(found.within_us == 0.2, tt::tolerance(1e-5));
}

BOOST_AUTO_TEST_CASE(a_call_that_is_no_longer_costs_nothing) {
  BOOST_TEST(costs(100, 0.125, 0.05, 0.25).value().within_us == 0);
}

BOOST_AUTO_TEST_CASE(where_few_or_no_calls_called_back_nothing_is_known) {
  BOOST_TEST(!costs(39, 0.125, 0.25, 0.05));
  BOOST_TEST(!ListeningSamples(400).costs(0.05));
}

BOOST_AUTO_TEST_CASE(more_calls_than_expected_take_no_memory) {
  ListeningSamples samples(40);
  for (int i = 0; i < 80; ++i) {
    samples.begins(i);
    samples.ends(i + 0.25, i + 0.5);
  }
  BOOST_TEST(samples.costs(0).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
