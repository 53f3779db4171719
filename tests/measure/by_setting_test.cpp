// The processes of a run: their arguments, and their merged results.
#include "common/measure/processes/by_setting.hpp"

#include <boost/test/unit_test.hpp>
#include <stdexcept>

#include "common/measure/processes/run_processes.hpp"
#include "tests/model/made_up.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(by_setting)

namespace {

/// Returns what one process leaves under that setting if it reached this many workloads.
Results outcome(HostMemory memory, std::size_t workloads, const std::string& note = "") {
  Results results;
  for (std::size_t i = 0; i < workloads; ++i) {
    Comparison comparison = made_up_comparison({made_up("streams", 10, 100)});
    comparison.workload = presets()[i];
    comparison.workload.host_memory = memory;
    results.comparisons.push_back(comparison);
  }
  if (!note.empty()) results.context.notes = {note};
  return results;
}

/// Returns "launch of 2": the workload, and its number of processes.
std::vector<std::string> labels_of(const Results& results) {
  std::vector<std::string> labels;
  for (const Comparison& comparison : results.comparisons) {
    labels.push_back(comparison.workload.label() + " of " + std::to_string(comparison.processes));
  }
  return labels;
}

using Texts = std::vector<std::string>;
constexpr auto pinned = HostMemory::pinned, pageable = HostMemory::pageable;

}  // namespace

BOOST_AUTO_TEST_CASE(every_seed_runs_under_every_setting) {
  ProcessRequest request;
  request.count = 2;
  request.settings = {{pinned, Wait::spin}, {pageable, Wait::block}};
  request.arguments = {"--preset=launch"};
  request.seconds = 1.5;
  const auto line = [](const char* memory, const char* wait, const char* seed) {
    return Texts{"--preset=launch", memory, wait, seed, "--processes=1", "--time=1500000us"};
  };
  const std::vector<Texts> expected{line("--host-memory=pinned", "--wait=spin", "--seed=7"),
                                    line("--host-memory=pageable", "--wait=block", "--seed=7"),
                                    line("--host-memory=pinned", "--wait=spin", "--seed=8"),
                                    line("--host-memory=pageable", "--wait=block", "--seed=8")};
  BOOST_TEST((command_lines(request, 7) == expected));
  BOOST_TEST(line_of_process({}, 1, 1e-9).back() == "--time=1us");  // 0 is refused
}

BOOST_AUTO_TEST_CASE(a_process_has_its_place_whatever_the_number_of_settings) {
  for (const std::size_t settings : {1u, 2u, 3u}) {
    for (std::size_t index = 0; index < 5 * settings; ++index) {
      BOOST_TEST(process_of(index, 5 * settings, 5) == index / settings);
    }
  }
}

BOOST_AUTO_TEST_CASE(settings_stand_side_by_side_within_each_workload) {
  const std::vector<Results> outcomes{outcome(pinned, 2), outcome(pageable, 2), outcome(pinned, 2)};
  const Texts expected{"launch of 2", "launch, pageable of 1", "transfer of 2",
                       "transfer, pageable of 1"};
  BOOST_TEST(labels_of(merged_by_setting(outcomes, 2)) == expected,
             boost::test_tools::per_element());
  BOOST_TEST(labels_of(merged_by_setting(std::span(outcomes).first(1), 2)) ==
                 (Texts{"launch of 1", "transfer of 1"}),
             boost::test_tools::per_element());
  BOOST_CHECK_THROW(merged_by_setting({}, 2), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_workload_that_only_a_later_setting_came_to_is_kept) {
  const std::vector<Results> outcomes{outcome(pinned, 1), outcome(pageable, 2)};
  BOOST_TEST(labels_of(merged_by_setting(outcomes, 2)) ==
                 (Texts{"launch of 1", "launch, pageable of 1", "transfer, pageable of 1"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_processes_of_any_setting_noted_is_kept) {
  const std::vector<Results> outcomes{outcome(pinned, 1, "one"), outcome(pageable, 1, "two"),
                                      outcome(pinned, 1, "three")};
  BOOST_TEST(merged_by_setting(outcomes, 2).context.notes == (Texts{"one", "three", "two"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
