// Variants that fail, and runtime calls that fail by --fault, in the real program: what is
// reported, continued and kept.
#include "common/model/results/results_io.hpp"
#include "tests/commands/cli/program.hpp"

namespace {

/// A run of the program with planted faults that leaves its results in `results.json`.
struct Planted {
  Workplace workplace;
  Outcome outcome;
  Results results;

  explicit Planted(const std::string& variants, const std::string& presets = "launch") {
    outcome = run_program({"--preset", presets, "--variant", variants, "--processes", "2", "--time",
                           "20ms", "--json", "results.json"},
                          {.program = "TRILANE_PLANTED"});
    results = from_json(content_of_file("results.json"));
  }

  const Measurement& of(const std::string& variant, std::size_t comparison = 0) const {
    for (const Measurement& measurement : results.comparisons.at(comparison).measurements) {
      if (measurement.variant == variant) return measurement;
    }
    throw std::out_of_range(variant);
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(planted_faults, *boost::unit_test::precondition(has_gpu))

BOOST_AUTO_TEST_CASE(a_variant_that_fails_does_not_stop_the_others) {
  const Planted run("streams,graph,wrong_data,throws,wrong_evidence");
  BOOST_TEST(run.outcome.code == 1);
  for (const char* sound : {"streams", "graph"}) {
    BOOST_TEST_INFO_SCOPE(sound);
    BOOST_TEST((run.of(sound).status == Status::ok));
    BOOST_TEST(run.of(sound).wall.has_value());
  }
  // The screen shows the first of them.
  BOOST_TEST(run.outcome.out.starts_with("FAILED"), run.outcome.out);
  BOOST_TEST(contains(run.outcome.out, "wrong data: 1 of 65536 words"), run.outcome.out);
  const std::pair<const char*, const char*> reasons[] = {
      {"wrong_data", "wrong data: 1 of 65536 words, the first at byte 0"},
      {"throws", "planted: the fifth pass gives up"},
      {"wrong_evidence", "streams: planned 4"}};
  for (const auto& [variant, reason] : reasons) {
    BOOST_TEST_INFO_SCOPE(variant << ": " << run.of(variant).message);
    BOOST_TEST((run.of(variant).status == Status::failed));
    BOOST_TEST(contains(run.of(variant).message, reason));
    BOOST_TEST(!run.of(variant).wall);
    BOOST_TEST(!run.of(variant).ratio);
  }
}

BOOST_AUTO_TEST_CASE(a_sticky_error_ends_its_variant_and_no_other) {
  const Planted run("streams,illegal_address,graph", "compute,search");
  BOOST_TEST(run.outcome.code == 1);
  BOOST_TEST((run.of("illegal_address").status == Status::failed));
  BOOST_TEST(contains(run.of("illegal_address").message, "cudaErrorIllegalAddress"));
  for (const char* other : {"streams", "graph"}) {
    for (const std::size_t comparison : {0u, 1u}) {
      BOOST_TEST((run.of(other, comparison).status == Status::ok));
      BOOST_TEST(run.of(other, comparison).wall.has_value());
    }
  }
  BOOST_TEST((run.of("illegal_address", 1).status == Status::failed));  // its process is lost
}

BOOST_AUTO_TEST_CASE(an_earlier_preset_survives_a_sticky_error) {
  const Planted run("streams,illegal_address", "launch,compute");
  BOOST_TEST(run.outcome.code == 1);
  BOOST_TEST((run.of("streams", 0).status == Status::ok));
  BOOST_TEST(run.of("streams", 0).wall.has_value());
  BOOST_TEST((run.of("illegal_address", 0).status == Status::ok));
  BOOST_TEST((run.of("illegal_address", 1).status == Status::failed));
  BOOST_TEST((run.of("streams", 1).status == Status::ok));
}

BOOST_AUTO_TEST_CASE(a_sticky_error_of_the_only_variant_is_told_apart_from_a_failure) {
  const Planted run("illegal_address", "compute,search");
  BOOST_TEST(run.outcome.code == 1);
  BOOST_TEST(run.results.comparisons.size() == 2u);
  BOOST_TEST((run.of("illegal_address", 0).status == Status::failed));
  BOOST_TEST((run.of("illegal_address", 1).status == Status::not_run));
}

BOOST_AUTO_TEST_CASE(a_plan_beyond_the_device_is_refused_before_anything_runs) {
  const Workplace workplace;
  const Outcome outcome =
      run_program({"--variant", "huge", "--json", "new"}, {.program = "TRILANE_PLANTED"}).ended(4);
  BOOST_TEST(outcome.says("of device memory"));
  BOOST_TEST(!std::ifstream("new").good());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(interrupt_on_a_gpu, Workplace, *boost::unit_test::precondition(has_gpu))

BOOST_AUTO_TEST_CASE(an_interrupt_keeps_what_was_measured) {
  const Outcome outcome =
      run_interrupted(in_rounds({"--preset", "launch,transfer", "--variant", "streams,graph",
                                 "--time", "500ms", "--precision", "0.001%", "--json", "new"}),
                      "new");
  BOOST_TEST(outcome.code == 130);
  const Results results = from_json(content_of_file("new"));
  BOOST_TEST_REQUIRE(!results.comparisons.empty());
  BOOST_TEST(results.comparisons.front().measurements.front().wall.has_value());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(simulated_fault, Workplace,
                         *boost::unit_test::precondition(for_the_simulated_device))

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
  return run_without_gpu(joined(words, more));
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
