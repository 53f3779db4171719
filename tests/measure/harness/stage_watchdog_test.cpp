// A stage that does not end ends the process, and the message names it.
#include "common/measure/harness/trial.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include "common/base/console/console.hpp"
#include "common/base/text/exit_code.hpp"
#include "tests/base/folder.hpp"
#include "tests/model/workload/made_up_pipeline.hpp"

BOOST_AUTO_TEST_SUITE(stage_watchdog)

Step step_at(std::uint32_t place, std::uint32_t chunk) {
  Step step{};
  step.place = place;
  step.chunk = chunk;
  return step;
}

struct End {
  int code;
  std::string message;
};

/// Returns the end of a process in which a watchdog lets each stage take a second. It ends with
/// exit_ok after `steps`.
End end_of(const std::function<void(StageWatchdog&)>& steps) {
  const Folder folder;
  const std::string name = folder.path / "message";
  const pid_t child = fork();
  if (child == 0) {
    setenv(message_file_variable, name.c_str(), 1);
    const Pipeline pipeline = made_up_pipeline();
    {
      StageWatchdog watchdog(pipeline, 1'000'000);
      steps(watchdog);
    }
    _exit(exit_ok);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content_of_file(name)};
}

/// Runs until the watchdog or, failing that, a signal ends the process.
void run_for_ever() {
  alarm(30);
  while (true) pause();
}

BOOST_AUTO_TEST_CASE(a_stage_that_does_not_end_is_named) {
  const End end = end_of([](StageWatchdog& watchdog) {
    watchdog.start(step_at(0, 0));
    watchdog.stop();
    watchdog.start(step_at(1, 0));  // without a stop
    watchdog.start(step_at(3, 2));
    run_for_ever();
  });
  BOOST_TEST(end.code == exit_wrong);
  BOOST_TEST(end.message ==
             "made_up.json: kernel 'mix' of chunk 2 has run for 1 s and was abandoned; make it "
             "end, or allow more time with --kernel-limit");
}

BOOST_AUTO_TEST_CASE(time_after_a_stage_does_not_count) {
  const End end = end_of([](StageWatchdog& watchdog) {
    watchdog.start(step_at(0, 0));
    usleep(20'000);  // so that the watchdog has seen it
    watchdog.stop();
    usleep(1'500'000);
  });
  BOOST_TEST(end.code == exit_ok);
  BOOST_TEST(end.message == "");
}

BOOST_AUTO_TEST_SUITE_END()
