// Temporary files and folders: none is left, neither by this run nor by dead ones.
#include "common/base/console/temporary.hpp"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <csignal>
#include <fstream>
#include <optional>
#include <set>
#include <string>

#include "common/base/console/interrupt.hpp"
#include "tests/base/folder.hpp"

using namespace trilane;

namespace {

namespace fs = std::filesystem;

struct Remains : Folder {
  /// Leaves what a killed run leaves: a file, and a folder with a file in it.
  void leave_behind() const {
    const pid_t child = fork();
    if (child == 0) {
      TemporaryFile file(path / "target");
      const TemporaryFolder folder(path);
      std::ofstream(folder.path() / "file") << "text";
      raise(SIGKILL);
    }
    waitpid(child, nullptr, 0);
  }

  /// Returns the wait status of a run that a signal ends at once while it has a folder and a file:
  /// the second one with a guard, the first without. It would be 0 if the run continued.
  int status_when_signalled(bool guarded) const {
    const pid_t child = fork();
    if (child == 0) {
      exit_on_signals();
      std::optional<InterruptGuard> guard;
      if (guarded) guard.emplace();
      if (guarded) raise(SIGINT);
      {
        const TemporaryFolder folder(path);
        TemporaryFile file(folder.path() / "target");
        file.write("text");
        raise(SIGINT);
      }
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(temporary, Remains)

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
  leave_behind();
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
  for (const bool guarded : {true, false}) {
    const int status = status_when_signalled(guarded);
    BOOST_TEST(WIFEXITED(status));
    BOOST_TEST(WEXITSTATUS(status) == 130);
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
