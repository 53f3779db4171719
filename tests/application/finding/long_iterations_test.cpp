// Iterations of many calls, of which few repetitions are kept until they repeat.
#include <boost/test/unit_test.hpp>

#include "tests/application/finding/fake_application.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(long_iterations)

namespace {

/// Makes `calls` calls, the last of them a wait; each iteration is the same.
void iterate_long(FakeApplication& app, std::uint64_t calls) {
  for (std::uint64_t i = 1; i < calls; ++i) app.memset(device_in, 4 * i);
  app.synchronize();
}

/// Returns how many times it repeated before it was found; 0: not found in 30 times.
int repetitions_needed(FakeApplication& app, std::uint64_t calls) {
  set_up(app);
  for (int i = 1; i <= 30; ++i) {
    iterate_long(app, calls);
    if (app.stage == ListeningStage::confirm) return i;
  }
  return 0;
}

}  // namespace

BOOST_AUTO_TEST_CASE(of_ten_thousand_calls_five_repetitions_are_enough) {
  FakeApplication app;
  BOOST_TEST(repetitions_needed(app, 10'000) == 5);
}

BOOST_AUTO_TEST_CASE(longer_ones_are_found_when_they_have_repeated_as_often_once_more) {
  FakeApplication app;
  BOOST_TEST(repetitions_needed(app, 30'000) == 8);
  const ApplicationRecording recording = app.recorder.recording();
  BOOST_TEST((recording.found == Found::repeats));
  BOOST_TEST(recording.calls.size() == 30'000u);
  BOOST_TEST((recording.calls.back().kind == CallKind::synchronize_stream));
}

BOOST_AUTO_TEST_CASE(one_that_ends_too_soon_is_told_how_often_it_has_to_repeat) {
  FakeApplication app;
  set_up(app);
  for (int i = 0; i < 6; ++i) iterate_long(app, 30'000);
  BOOST_TEST(app.recorder.recording().why_none ==
             "30000 calls repeat, and that many must repeat 10 times");
}

BOOST_AUTO_TEST_CASE(of_one_that_is_too_long_to_keep_it_is_said) {
  FakeApplication app;
  BOOST_TEST(repetitions_needed(app, 130'000) == 0);
  const std::string why = app.recorder.recording().why_none;
  BOOST_TEST(why == "an iteration of 130000 calls repeats, but 600000 calls are kept at most");
}

BOOST_AUTO_TEST_SUITE_END()
