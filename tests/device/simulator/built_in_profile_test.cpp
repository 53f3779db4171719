// The committed profile, common/device/profile/h200.json, as the program has it.
#include "common/device/profile/profile.hpp"
#include "common/device/simulator/machine/machine.hpp"
#include "tests/framework.hpp"

namespace trilane::simulator {
extern const char built_in_profile_json[];
}

BOOST_AUTO_TEST_SUITE(built_in_profile)

BOOST_AUTO_TEST_CASE(the_committed_profile_is_as_it_would_be_written) {
  const trilane::Profile& h200 = trilane::simulator::built_in_profile();
  BOOST_TEST(h200.name == "NVIDIA H200");
  BOOST_TEST(trilane::to_json(h200) == trilane::simulator::built_in_profile_json);
}

BOOST_AUTO_TEST_SUITE_END()
