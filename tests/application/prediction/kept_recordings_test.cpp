// Recordings of planted applications, made on an H200, on the simulated H200.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>

#include "common/application/diagnosis/make_diagnosis.hpp"
#include "common/application/iteration/recording_file.hpp"
#include "common/application/prediction/simulated_prediction.hpp"
#include "common/application/prediction/ways/simulated_pass.hpp"
#include "common/base/json/input_file.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/device/simulator/machine/machine.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(kept_recordings)

namespace {

/// Returns the largest relative error of the time. In "allocates" cudaMalloc takes 34 us, because
/// it must map memory anew. In the profile it takes 2 us, because it finds some freed memory; the
/// recording does not say what calls take.
double most_error(const std::string& name) { return name == "allocates" ? 0.7 : 0.2; }

ApplicationRecording recording_of(const std::string& name) {
  return recording_from_json(
      content_of_input(SOURCE_DIR "/tests/application/recordings/" + name + ".json"));
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& entry :
       std::filesystem::directory_iterator(SOURCE_DIR "/tests/application/recordings")) {
    all.push_back(entry.path().stem());
  }
  return all;
}

SimulatedTimes predicted(const std::string& name) {
  simulator::restart({.profile = simulator::built_in_profile()});
  return simulated_times(recording_of(name));
}

bool has(const SimulatedTimes& all, SimulatedWay way) {
  return std::ranges::any_of(
      all.times, [&](const SimulatedTime& time) { return time.way == way && time.us.has_value(); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_same_calls_take_about_what_was_measured) {
  for (const std::string& name : names()) {
    BOOST_TEST_CONTEXT(name) {
      const SimulatedTimes all = predicted(name);
      BOOST_TEST(all.refusal == "");
      BOOST_REQUIRE(!all.times.empty());
      BOOST_TEST(all.same_gpu);
      BOOST_TEST(*all.times.front().us / *all.measured_us > 1 - most_error(name));
      BOOST_TEST(*all.times.front().us / *all.measured_us < 1 + most_error(name));
    }
  }
}

BOOST_AUTO_TEST_CASE(each_is_predicted_in_the_ways_that_fit_it) {
  for (const std::string& name : names()) {
    BOOST_TEST_CONTEXT(name) {
      const SimulatedTimes all = predicted(name);
      const bool varies = name == "double_buffers";
      BOOST_TEST(has(all, SimulatedWay::graph) == !varies);
      BOOST_TEST(has(all, SimulatedWay::graph_set) == varies);
      BOOST_TEST(has(all, SimulatedWay::engines));
      BOOST_TEST(has(all, SimulatedWay::pinned) == (name == "pageable"));
      BOOST_TEST(has(all, SimulatedWay::pool) == (name == "allocates"));
    }
  }
}

BOOST_AUTO_TEST_CASE(none_races_when_it_is_run_either) {
  for (const std::string& name : names()) {
    BOOST_TEST_CONTEXT(name) {
      const ApplicationRecording recording = recording_of(name);
      simulator::restart({.profile = simulator::built_in_profile()});
      const TimedOnly timed;
      const auto pass = make_pass(SimulatedWay::same_calls, recording);
      for (int i = 0; i < 2; ++i) pass();
      cudaDeviceSynchronize();
      for (const simulator::Report& report : simulator::machine().hazards.reports()) {
        BOOST_TEST((report.hazard != simulator::Hazard::unordered), report.text);
      }
      BOOST_TEST(diagnosis_of(recording).races.empty());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
