// The circle closes: calibrating the simulated device finds the profile that drives it.
#include "common/device/simulator/machine/machine.hpp"
#include "common/measure/calibrate/calibrated_profile.hpp"
#include "common/measure/gpu/runtime/check.hpp"
#include "tests/framework.hpp"

namespace json = boost::json;

BOOST_AUTO_TEST_SUITE(calibration)

namespace {

struct Figure {
  std::string place;
  double value;
};

void collect(const json::value& value, const std::string& place, std::vector<Figure>& figures) {
  if (value.is_object()) {
    for (const auto& [key, entry] : value.get_object()) {
      collect(entry, place + "." + std::string(key), figures);
    }
  } else if (value.is_array()) {
    std::size_t index = 0;
    for (const json::value& entry : value.get_array()) {
      collect(entry, fmt::format("{}[{}]", place, index++), figures);
    }
  } else if (value.is_number() && !place.starts_with(".calls_us.launch of ")) {
    // For whole launches a profile states only straight lines for what the nodes' costs imply.
    figures.push_back({place, value.to_number<double>()});
  }
}

std::vector<Figure> figures_of(const Profile& profile) {
  std::vector<Figure> figures;
  collect(json::parse(to_json(profile)), "", figures);
  return figures;
}

void calibrate() {
  calibrated_profile(open_device(0), [](const std::string&) {});
}

}  // namespace

BOOST_AUTO_TEST_CASE(calibrating_the_simulated_device_finds_its_profile_again) {
  Profile given = simulator::built_in_profile();
  given.error.reset();  // a calibration compares nothing with a GPU
  // Where streams poll, the latency of a chain depends on when it was enqueued.
  given.stream.look_us = 0.1;
  simulator::restart({.profile = given, .fault = {}});
  const Profile found = calibrated_profile(open_device(0), [](const std::string&) {});
  BOOST_TEST(simulator::machine().leaks().empty());
  const std::vector<Figure> wanted = figures_of(given), got = figures_of(found);
  BOOST_TEST_REQUIRE(wanted.size() == got.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    BOOST_TEST_CONTEXT(wanted[i].place) {
      BOOST_TEST(got[i].place == wanted[i].place);
      // A few per cent, or some tenths of a microsecond. Pairs and chains are separated by
      // differences, and an operation's own time and the gap after it are only known together.
      const double allowed = std::max(0.15, 0.05 * wanted[i].value);
      BOOST_TEST(std::abs(got[i].value - wanted[i].value) <= allowed,
                 got[i].value << " instead of " << wanted[i].value);
    }
  }
}

BOOST_AUTO_TEST_CASE(calibrating_finds_how_often_streams_look) {
  for (const double us : {4.0, 8.192}) {
    Profile given = simulator::built_in_profile();
    given.stream.look_us = us;
    simulator::restart({.profile = given, .fault = {}});
    const Profile found = calibrated_profile(open_device(0), [](const std::string&) {});
    constexpr double step_us = 0.5;  // from one kernel of the probe to the next
    BOOST_TEST(std::abs(found.stream.look_us.value() - us) < step_us);
  }
}

BOOST_AUTO_TEST_CASE(a_probe_that_fails_gives_back_what_it_took_from_a_pool) {
  const Profile profile = simulator::built_in_profile();
  simulator::restart({.profile = profile, .fault = {}});
  calibrate();
  const auto calls = simulator::machine().calls;
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t i = 0; i < calls.size(); ++i) {
    const std::string_view name = calls[i];
    if (name == "cudaMallocFromPoolAsync") numbers.push_back(i + 2);  // the call that follows
    if (name == "cudaFreeAsync") numbers.push_back(i + 1);
  }
  BOOST_TEST_REQUIRE(numbers.size() > 20u);
  // The first are those of one kind of probe, the last those of another.
  numbers.erase(numbers.begin() + 4, numbers.end() - 4);
  for (const std::uint64_t number : numbers) {
    BOOST_TEST_CONTEXT("call " << number << ", " << calls[number - 1]) {
      simulator::restart(
          {.profile = profile, .fault = simulator::Fault{number, cudaErrorInvalidValue}});
      BOOST_CHECK_THROW(calibrate(), CudaError);
      BOOST_TEST(simulator::machine().leaks() == std::vector<std::string>{},
                 boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
