// Device profiles as files: what is written can be read.
#include "common/device/profile/profile.hpp"

#include <boost/test/unit_test.hpp>
#include <fstream>
#include <sstream>

#include "tests/base/refusal.hpp"
#include "tests/device/profile/full_profile.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(profile)

BOOST_AUTO_TEST_CASE(what_is_written_is_read_back) {
  const Profile written = full_profile();
  const std::string text = to_json(written);
  const Profile found = read_profile(text, "here");
  BOOST_TEST(to_json(found) == text);
  BOOST_TEST(found.name == written.name);
  BOOST_TEST(found.memory_bytes == written.memory_bytes);
  BOOST_TEST(found.calls_us.size() == written.calls_us.size());
  BOOST_TEST(found.kernels.size() == written.kernels.size());
}

BOOST_AUTO_TEST_CASE(only_kernels_need_no_duration) {
  Profile profile = full_profile();
  profile.engine.duration[2].clear();
  BOOST_TEST(read_profile(to_json(profile), "").engine.duration[2].empty());
}

BOOST_AUTO_TEST_CASE(tables_name_the_kind_before_and_then_the_kind) {
  Profile profile = full_profile();
  profile.stream.latency_us = {{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}}};
  profile.stream.start_us = {0.5, 1e-3, 2, 3};
  const std::string text = to_json(profile);
  for (const char* part : {R"(
    "latency_us": {
      "copy in": {"copy in": 1, "memset": 2, "kernel": 3, "copy out": 4},
      "memset": {"copy in": 5, "memset": 6, "kernel": 7, "copy out": 8},
      "kernel": {"copy in": 9, "memset": 10, "kernel": 11, "copy out": 12},
      "copy out": {"copy in": 13, "memset": 14, "kernel": 15, "copy out": 16}
    })",
                           R"(
    "start_us": {"copy in": 0.5, "memset": 0.001, "kernel": 2, "copy out": 3},)",
                           R"(
    {"reduces": true, "words": 1024, "outputs": 4, "blocks": 4, "us": 16, )"}) {
    BOOST_TEST(contains(text, part), part << " is not in " << text);
  }
  BOOST_TEST(read_profile(text, "").stream.latency_us[2][1] == 10);
}

BOOST_AUTO_TEST_SUITE_END()
