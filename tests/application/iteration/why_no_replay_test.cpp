// Reasons against a recording's replay.
#include "common/application/iteration/order/capture_obstacles.hpp"

#include <boost/test/unit_test.hpp>

#include "tests/application/diagnosis/recorded.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(replays_that_are_not_possible)

BOOST_AUTO_TEST_CASE(an_iteration_that_repeats_may_be_replayed) {
  Recorded made;
  made.kernel(Recorded::blocking, {Recorded::device, Recorded::pinned});
  made.synchronize(Recorded::blocking);
  BOOST_TEST(why_no_replay(made.recording).empty());
}

BOOST_AUTO_TEST_CASE(what_keeps_a_replay_away_is_named) {
  using R = Recorded;
  const struct {
    void (*change)(Recorded& made);
    const char* why;
  } cases[]{{[](Recorded& made) {
               made.kernel(R::blocking, {R::device, R::other_device});
             },
             "cuLaunchKernel of scale: it uses managed memory, which moves by itself"},
            {[](Recorded& made) { made.copy(R::blocking, R::device, R::other_device); },
             "cuMemcpyAsync: it uses managed memory, which moves by itself"},
            {[](Recorded& made) {
               made.add(CallKind::host_function, "cuLaunchHostFunc").refusal =
                   "it calls the program";
             },
             "cuLaunchHostFunc: it calls the program"},
            {[](Recorded& made) { made.recording.broken.emplace(); },
             "the loop changed while it was analysed"},
            {[](Recorded& made) { made.recording.threads = 2; },
             "2 threads make the calls of an iteration"},
            {[](Recorded& made) {
               made.recording.threads = 2;
               made.recording.found = Found::none;
             },
             "no iteration was found"}};
  for (const auto& [change, why] : cases) {
    Recorded made;
    made.recording.memory[R::other_device].kind = MemoryKind::managed;
    made.kernel(R::blocking, {R::device});
    BOOST_TEST(why_no_replay(made.recording) == "");
    change(made);
    BOOST_TEST(why_no_replay(made.recording) == why);
  }
}

BOOST_AUTO_TEST_SUITE_END()
