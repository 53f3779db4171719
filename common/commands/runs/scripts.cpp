#include "common/commands/runs/scripts.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "common/base/console/interrupt.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/quoting.hpp"

namespace trilane {

namespace fs = std::filesystem;

namespace {

/// Returns true if the command runs and succeeds. Searches the PATH, and prints nothing.
bool succeeds(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failed =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return false;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

fs::path own_path() {
  std::error_code none;
  return fs::read_symlink("/proc/self/exe", none);
}

fs::path report_script() {
  std::error_code none;
  const fs::path folder = own_path().parent_path();
  for (const char* place : {"../share/trilane/plots/report.py", "../plots/report.py"}) {
    if (fs::path path = (folder / place).lexically_normal(); fs::exists(path, none)) return path;
  }
  throw NotPossible(
      fmt::format("report: the scripts are not installed beside {}: run the "
                  "program of an installation or of a build folder",
                  in_quotes(folder.string())));
}

std::string python() {
  const char* const own = std::getenv("PYTHON");
  for (const std::string name : {own ? own : "python3", "python3", "/usr/bin/python3"}) {
    if (succeeds({name, "-c", "import matplotlib"})) return name;
  }
  throw NotPossible(
      "report: no Python here can import matplotlib: install python3-matplotlib, or set PYTHON to "
      "one that can");
}

void become(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  sigset_t stopping;
  sigemptyset(&stopping);
  for (const int signal : InterruptGuard::signals) sigaddset(&stopping, signal);
  sigprocmask(SIG_BLOCK, &stopping, nullptr);
  execvp(arguments[0], arguments.data());
  throw NotPossible(fmt::format("report: {} cannot be started ({})", in_quotes(words.front()),
                                std::strerror(errno)));
}

}  // namespace trilane
