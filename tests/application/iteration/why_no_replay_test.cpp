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

BOOST_AUTO_TEST_CASE(managed_memory_that_a_kernel_uses_is_refused_wherever_it_was_allocated) {
  Recorded made;
  made.recording.memory[Recorded::other_device].kind = MemoryKind::managed;
  made.kernel(Recorded::blocking, {Recorded::device});
  BOOST_TEST(why_no_replay(made.recording).empty());
  made.kernel(Recorded::blocking, {Recorded::device, Recorded::other_device});
  BOOST_TEST(why_no_replay(made.recording) ==
             "cuLaunchKernel of scale: it uses managed memory, which moves by itself");
}

BOOST_AUTO_TEST_CASE(managed_memory_of_a_copy_is_refused) {
  Recorded made;
  made.recording.memory[Recorded::other_device].kind = MemoryKind::managed;
  made.copy(Recorded::blocking, Recorded::device, Recorded::other_device);
  BOOST_TEST(why_no_replay(made.recording) ==
             "cuMemcpyAsync: it uses managed memory, which moves by itself");
}

BOOST_AUTO_TEST_CASE(a_call_that_cannot_be_repeated_is_named) {
  Recorded made;
  made.add(CallKind::host_function, "cuLaunchHostFunc").refusal = "it calls the program";
  BOOST_TEST(why_no_replay(made.recording) == "cuLaunchHostFunc: it calls the program");
}

BOOST_AUTO_TEST_CASE(a_loop_that_changes_its_shape_is_not_replayed) {
  Recorded made;
  made.kernel(Recorded::blocking, {Recorded::device});
  made.recording.broken.emplace();
  BOOST_TEST(why_no_replay(made.recording) == "the loop changed while it was analysed");
}

BOOST_AUTO_TEST_CASE(several_threads_and_no_iteration_are_refused) {
  Recorded made;
  made.recording.threads = 2;
  BOOST_TEST(why_no_replay(made.recording) == "2 threads make the calls of an iteration");
  made.recording.found = Found::none;
  BOOST_TEST(why_no_replay(made.recording) == "no iteration was found");
}

BOOST_AUTO_TEST_SUITE_END()
