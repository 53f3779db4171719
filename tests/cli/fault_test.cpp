// trilane-sim --fault: one runtime call fails, in the real program.
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <sstream>

#include "common/results/results_io.hpp"
#include "program.hpp"

using namespace trilane;

namespace {

/// Two presets cut down to the same shape: each makes about half of the run's calls.
Outcome run(std::uint64_t call) {
  return run_program({"--preset",
                      "launch,search",
                      "--variant",
                      "streams,graph",
                      "--chunks",
                      "2",
                      "--chunk-size",
                      "1K",
                      "--lanes",
                      "2",
                      "--depth",
                      "1",
                      "--rounds",
                      "1",
                      "--time",
                      "1ms",
                      "--json",
                      "results.json",
                      "--force",
                      "--fault",
                      std::to_string(call) + "=cudaErrorIllegalAddress"},
                     {.gpu = false});
}

/// How many calls a run makes, to an eighth: a fault beyond the last one is never met.
std::uint64_t calls() {
  std::uint64_t met = 1, beyond = 1 << 14;
  while (run(beyond).code != 0) {
    met = beyond;
    beyond *= 2;
    if (beyond > 1 << 28) throw std::runtime_error("every run fails");
  }
  while (beyond - met > beyond / 8) {
    const std::uint64_t middle = met + (beyond - met) / 2;
    (run(middle).code == 0 ? beyond : met) = middle;
  }
  return met;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(simulated_fault, *boost::unit_test::precondition(for_the_simulated_device))

BOOST_AUTO_TEST_CASE(an_earlier_preset_survives_a_fault_in_a_later_one) {
  const Workplace workplace;
  const Outcome outcome = run(calls() / 4 * 3);
  BOOST_TEST(outcome.code == 1);
  BOOST_TEST(outcome.err.find("warning: a release failed: cudaErrorIllegalAddress (700)") !=
             std::string::npos);
  std::ostringstream text;
  text << std::ifstream("results.json").rdbuf();
  const Results results = from_json(text.str());
  BOOST_TEST_REQUIRE(results.comparisons.size() == 2u);
  for (const Measurement& m : results.comparisons[0].measurements) {
    BOOST_TEST_CONTEXT(m.variant << ": " << m.message) {
      BOOST_TEST((m.status == Status::ok));
      BOOST_TEST(m.wall.has_value());
    }
  }
  BOOST_TEST(results.comparisons[1].stopped == "lost");
  std::size_t failed = 0;
  for (const Measurement& m : results.comparisons[1].measurements) {
    failed += m.status == Status::failed && m.message.starts_with("cudaErrorIllegalAddress (700)");
  }
  BOOST_TEST(failed == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
