#include "common/base/console/interrupt.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

using namespace trilane;

BOOST_AUTO_TEST_SUITE(interrupt)

namespace {

void earlier_handler(int) {}

auto handler_of(int signal) {
  struct sigaction action = {};
  sigaction(signal, nullptr, &action);
  return action.sa_handler;
}

/// Returns the wait status of a child that runs `body` and then leaves with code 0.
template <typename Body>
int status_of_child(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    body();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_first_signal_sets_the_flag) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const InterruptGuard guard;
    BOOST_TEST(!interrupted());
    stop_if_interrupted();
    raise(signal);
    BOOST_TEST(interrupted());
    BOOST_CHECK_THROW(stop_if_interrupted(), Interrupted);
  }
}

BOOST_AUTO_TEST_CASE(the_second_signal_ends_the_process_with_130) {
  const int status = status_of_child([] {
    const InterruptGuard guard;
    raise(SIGINT);
    raise(SIGINT);
  });
  BOOST_TEST(WIFEXITED(status));
  BOOST_TEST(WEXITSTATUS(status) == 130);
}

BOOST_AUTO_TEST_CASE(a_held_end_comes_with_the_last_that_holds_it) {
  int seen[2];
  BOOST_REQUIRE(pipe(seen) == 0);
  const int status = status_of_child([&] {
    const InterruptGuard guard;
    {
      const EndHeld outer;
      raise(SIGINT);
      if (must_end()) _exit(1);
      raise(SIGINT);
      if (!must_end()) _exit(2);
      { const EndHeld inner; }
      if (write(seen[1], "x", 1) != 1) _exit(3);
    }
    _exit(4);
  });
  char went_on = ' ';
  close(seen[1]);
  BOOST_TEST(read(seen[0], &went_on, 1) == 1);  // after the inner one
  close(seen[0]);
  BOOST_TEST(WIFEXITED(status));
  BOOST_TEST(WEXITSTATUS(status) == 130);
}

BOOST_AUTO_TEST_CASE(afterwards_the_earlier_handler_is_back) {
  const auto before = std::signal(SIGINT, earlier_handler);
  {
    const InterruptGuard guard;
    BOOST_TEST(handler_of(SIGINT) != earlier_handler);
  }
  BOOST_TEST(handler_of(SIGINT) == earlier_handler);
  std::signal(SIGINT, before);
}

BOOST_AUTO_TEST_CASE(an_ignored_signal_stays_ignored) {
  const int status = status_of_child([] {
    std::signal(SIGINT, SIG_IGN);
    const InterruptGuard guard;
    raise(SIGINT);
    if (interrupted()) _exit(1);
  });
  BOOST_TEST(WIFEXITED(status));
  BOOST_TEST(WEXITSTATUS(status) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
