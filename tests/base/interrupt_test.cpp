// Signals: who sees them, and that neither this run nor dead ones leave temporary files.
#include "common/base/console/interrupt.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include "common/base/console/output_file.hpp"
#include "tests/base/folder.hpp"

namespace fs = std::filesystem;

BOOST_FIXTURE_TEST_SUITE(interrupt, Folder)

void earlier_handler(int) {}

auto handler_of(int signal) {
  struct sigaction action = {};
  sigaction(signal, nullptr, &action);
  return action.sa_handler;
}

/// Returns the exit code of a child that runs `body` and then leaves with code 0; -1 if a signal
/// ended it.
template <typename Body>
int code_of_child(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    body();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

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
  const int code = code_of_child([] {
    const InterruptGuard guard;
    raise(SIGINT);
    raise(SIGINT);
  });
  BOOST_TEST(code == 130);
}

BOOST_AUTO_TEST_CASE(a_held_end_comes_with_the_last_that_holds_it) {
  int seen[2];
  BOOST_REQUIRE(pipe(seen) == 0);
  const int code = code_of_child([&] {
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
  BOOST_TEST(code == 130);
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
  const int code = code_of_child([] {
    std::signal(SIGINT, SIG_IGN);
    const InterruptGuard guard;
    raise(SIGINT);
    if (interrupted()) _exit(1);
  });
  BOOST_TEST(code == 0);
}

BOOST_AUTO_TEST_CASE(a_file_replaces_its_target_or_goes) {
  const fs::path target = path / "target";
  {
    TemporaryFile file(target);
    BOOST_TEST(names().size() == 1u);
  }
  BOOST_TEST(names().empty());
  {
    TemporaryFile file(target);
    file.write("text");
    file.replace(target);
    BOOST_TEST((names() == std::set<std::string>{"target"}));
  }
  BOOST_TEST((names() == std::set<std::string>{"target"}));
}

BOOST_AUTO_TEST_CASE(a_folder_goes_with_what_is_in_it) {
  {
    const TemporaryFolder folder(path);
    std::ofstream(folder.path() / "file") << "text";
  }
  BOOST_TEST(names().empty());
}

BOOST_AUTO_TEST_CASE(what_a_dead_run_left_is_removed_and_nothing_else) {
  code_of_child([this] {
    TemporaryFile file(path / "target");
    const TemporaryFolder folder(path);
    std::ofstream(folder.path() / "file") << "text";
    raise(SIGKILL);
  });
  BOOST_TEST(names().size() == 2u);
  std::ofstream(path / ".trilane-notes");
  std::ofstream(path / "results.tmp");
  remove_left_behind(path);
  BOOST_TEST((names() == std::set<std::string>{".trilane-notes", "results.tmp"}));
}

BOOST_AUTO_TEST_CASE(what_a_living_run_has_stays) {
  const TemporaryFile file(path / "target");
  const TemporaryFolder folder(path);
  remove_left_behind(path);
  BOOST_TEST(names().size() == 2u);
}

BOOST_AUTO_TEST_CASE(a_signal_that_ends_the_run_at_once_leaves_nothing) {
  for (const bool guarded : {true, false}) {  // the second one with a guard, the first without
    const int code = code_of_child([&] {
      exit_on_signals();
      std::optional<InterruptGuard> guard;
      if (guarded) guard.emplace();
      if (guarded) raise(SIGINT);
      const TemporaryFolder folder(path);
      TemporaryFile file(folder.path() / "target");
      file.write("text");
      raise(SIGINT);
    });
    BOOST_TEST(code == 130);
    BOOST_TEST(names().empty());
  }
}

BOOST_AUTO_TEST_CASE(a_folder_that_is_not_there_is_an_error) {
  const fs::path gone = path / "gone";
  BOOST_CHECK_THROW(TemporaryFile(gone / "target"), std::system_error);
  BOOST_CHECK_THROW(TemporaryFolder{gone}, std::system_error);
  remove_left_behind(gone);
}

BOOST_AUTO_TEST_SUITE_END()
