// trilane-sim --fault: one runtime call fails, in the real program.
#include <fmt/format.h>

#include <algorithm>

#include "common/model/results/results_io.hpp"
#include "tests/commands/cli/program.hpp"

using namespace trilane;

BOOST_FIXTURE_TEST_SUITE(simulated_fault, Workplace,
                         *boost::unit_test::precondition(for_the_simulated_device))

namespace {

/// Runs two presets cut down to the same shape: each makes about half of the run's calls. The fault
/// is CALL=CODE.
Outcome run(const std::string& fault, const Words& more = {}) {
  const Words words{"--preset",     "launch,search",
                    "--variant",    "streams,graph",
                    "--chunks",     "2",
                    "--chunk-size", "1K",
                    "--lanes",      "2",
                    "--depth",      "1",
                    "--rounds",     "1",
                    "--time",       "1ms",
                    "--json",       "results.json",
                    "--force",      "--fault",
                    fault,          "--check"};
  return run_program(joined(words, more), {.gpu = false});
}

Outcome lost_at(std::uint64_t call, const Words& more = {}) {
  return run(std::to_string(call) + "=cudaErrorIllegalAddress", more);
}

/// Returns the last call in which a fault occurs, with a precision of `nearly` calls.
std::uint64_t calls(std::uint64_t nearly, const Words& more = {}) {
  std::uint64_t met = 1, beyond = 1 << 14;
  while (lost_at(beyond, more).code != 0) {
    met = beyond;
    beyond *= 2;
    if (beyond > 1 << 28) throw std::runtime_error("every run fails");
  }
  while (beyond - met > nearly) {
    const std::uint64_t middle = met + (beyond - met) / 2;
    (lost_at(middle, more).code == 0 ? beyond : met) = middle;
  }
  return met;
}

Results results() { return from_json(content_of_file("results.json")); }

void check_all_measured(const Comparison& comparison) {
  for (const Measurement& m : comparison.measurements) {
    BOOST_TEST_INFO_SCOPE(m.variant << ": " << m.message);
    BOOST_TEST((m.status == Status::ok));
    BOOST_TEST(m.wall.has_value());
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_earlier_preset_survives_a_fault_in_a_later_one) {
  const Outcome outcome = lost_at(calls(1000) / 4 * 3).ended(1);
  BOOST_TEST(contains(outcome.err, "warning: a release failed: cudaErrorIllegalAddress (700)"));
  const Results found = results();
  BOOST_TEST_REQUIRE(found.comparisons.size() == 2u);
  check_all_measured(found.comparisons[0]);
  BOOST_TEST(found.comparisons[1].stopped == "lost");
  std::size_t failed = 0;
  for (const Measurement& m : found.comparisons[1].measurements) {
    failed += m.status == Status::failed && m.message.starts_with("cudaErrorIllegalAddress (700)");
  }
  BOOST_TEST(failed == 1u);
}

BOOST_AUTO_TEST_CASE(what_was_measured_survives_a_fault_while_tracing) {
  const Words trace{"--trace", "trace.json"};
  const std::uint64_t measured = calls(1), all = calls(1, trace);
  BOOST_TEST_REQUIRE(all > measured + 100);
  for (const std::uint64_t eighth : {1, 3, 5, 7}) {
    const std::uint64_t call = measured + (all - measured) * eighth / 8;
    for (const std::string code : {"cudaErrorIllegalAddress", "cudaErrorSystemNotReady"}) {
      BOOST_TEST_INFO_SCOPE("call " << call << " of " << measured << " and " << all << ", "
                                    << code);
      const Outcome outcome = run(fmt::format("{}={}", call, code), trace);
      BOOST_TEST(outcome.code == (code == "cudaErrorIllegalAddress" ? 1 : 0));
      const Results found = results();
      BOOST_TEST_REQUIRE(found.comparisons.size() == 2u);
      for (const Comparison& comparison : found.comparisons) check_all_measured(comparison);
      // Reported twice, immediately and in the file.
      const auto told = [&](const std::string& note) {
        return note.find(code) != std::string::npos && outcome.err.find(note) != std::string::npos;
      };
      BOOST_TEST(std::ranges::any_of(found.context.notes, told));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
