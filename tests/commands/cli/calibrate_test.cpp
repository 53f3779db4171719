// trilane calibrate, on a GPU and on the simulated device.
#include "common/device/profile/profile.hpp"
#include "tests/commands/cli/program.hpp"

using namespace trilane;

BOOST_FIXTURE_TEST_SUITE(calibrate_on_a_gpu, Workplace, *boost::unit_test::precondition(has_gpu))

/// Checks that a profile of the simulated device says what it is.
void check_profile(const Profile& profile) {
  BOOST_TEST(profile.name.ends_with(" (simulated)") == is_simulated());
  BOOST_TEST(profile.calibrated.starts_with("20"));
  BOOST_TEST(!profile.revision.empty());
  BOOST_TEST(profile.multiprocessors > 0);
}

BOOST_AUTO_TEST_CASE(a_calibration_leaves_a_profile_and_says_so_in_a_line) {
  const Outcome outcome = run_program({"calibrate", "profile.json"});
  BOOST_TEST_INFO_SCOPE(outcome.err << outcome.out);
  BOOST_TEST_REQUIRE(outcome.code == 0);
  const Profile profile = load_profile("profile.json");
  check_profile(profile);
  BOOST_TEST(outcome.out.starts_with(profile.name + " calibrated in "));
  BOOST_TEST(outcome.out.ends_with(" s: 'profile.json'\n"));
  BOOST_TEST(outcome.out.find('\n') + 1 == outcome.out.size());
}

BOOST_AUTO_TEST_CASE(a_profile_stands_alone_on_standard_output) {
  const Outcome outcome = run_program({"calibrate", "-"});
  BOOST_TEST_CONTEXT(outcome.err) BOOST_TEST_REQUIRE(outcome.code == 0);
  BOOST_TEST(outcome.says(" calibrated in "));
  check_profile(read_profile(outcome.out, "-"));
}

BOOST_AUTO_TEST_SUITE_END()
