// The report about a recorded application.
#include "common/commands/recording/recorded_process.hpp"

#include <boost/test/unit_test.hpp>

using namespace trilane;

BOOST_AUTO_TEST_SUITE(words_on_what_was_recorded)

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_read_is_named_once) {
  RecorderStatus status;
  status.loaded = status.finished = 1;
  const Recorded recorded{.end = {},
                          .status = status,
                          .recording = {},
                          .unreadable = "recording file: .calls is missing"};
  const std::vector<std::string> lines = recorded_words(recorded);
  BOOST_REQUIRE(lines.size() == 2u);
  BOOST_TEST(lines[0] == "no iteration was found; the application ended after 0 calls");
  BOOST_TEST(lines[1] == "what was recorded is lost: recording file: .calls is missing");
}

BOOST_AUTO_TEST_SUITE_END()
