// Variants that fail, in the real program: what is reported, continued and kept.
#include <fstream>

#include "common/model/results/results_io.hpp"
#include "tests/commands/cli/program.hpp"

using namespace trilane;

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
