#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include "common/commands/command_files.hpp"
#include "common/commands/options/option_parts.hpp"
#include "common/commands/runs/written.hpp"
#include "common/console/interrupt.hpp"
#include "common/console/output_file.hpp"
#include "common/json/input_file.hpp"
#include "common/text/exit_code.hpp"
#include "common/text/quoting.hpp"

namespace trilane {
namespace {

namespace fs = std::filesystem;

/// The script, which lies beside an installed program in share/, and beside a build folder in the
/// source tree. Throws NotPossible if it is in neither.
fs::path script() {
  std::error_code none;
  const fs::path folder = fs::read_symlink("/proc/self/exe", none).parent_path();
  for (const char* place : {"../share/trilane/plots/report.py", "../plots/report.py"}) {
    if (fs::path path = (folder / place).lexically_normal(); fs::exists(path, none)) return path;
  }
  throw NotPossible(
      fmt::format("report: the scripts are not installed beside {}: run the "
                  "program of an installation or of a build folder",
                  in_quotes(folder.string())));
}

/// Whether the command runs and succeeds. It is looked for on the PATH and prints nothing.
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

/// The first Python with matplotlib. Throws NotPossible without one.
std::string python() {
  const char* const own = std::getenv("PYTHON");
  for (const std::string name : {own ? own : "python3", "python3", "/usr/bin/python3"}) {
    if (succeeds({name, "-c", "import matplotlib"})) return name;
  }
  throw NotPossible(
      "report: no Python here can import matplotlib: install python3-matplotlib, or set PYTHON to "
      "one that can");
}

/// Where the report goes: the named file, or the results' name with the ending html. Throws
/// UsageError if it is there.
fs::path report_path(const Given& given) {
  const auto& operands = given.operands();
  const fs::path path = operands.size() > 1 ? fs::path(operands[1])
                                            : fs::path(operands[0]).replace_extension(".html");
  OutputFile("report", path, given.has("force"));  // refuses what cannot be written
  return path;
}

/// The file of --trace. Throws UsageError if it cannot be read.
std::string trace_path(const Given& given) {
  const std::string path = given.text_or_refuse("trace", "names no file; give one");
  try {
    content_of_input(path);
  } catch (const std::invalid_argument& error) {
    refuse("--trace", path, fmt::format("{}; give what --trace wrote in that run", error.what()));
  }
  return path;
}

/// Becomes the command. Signals that stop a run wait until its script takes them, in
/// plots/stopping.py: Python itself would end with a traceback, or without a word.
/// Throws NotPossible when it cannot be started.
[[noreturn]] void become(std::vector<std::string> words) {
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

int report(const Given& given, const Caller&) {
  const std::string& results = given.operands()[0];
  load_results("report", results);  // so that a wrong file is refused as everywhere
  const fs::path path = report_path(given);
  std::vector<std::string> words{python(), script(), results};
  if (given.has("trace")) words.push_back(trace_path(given));
  words.push_back(path);
  become(std::move(words));
}

}  // namespace

Command report_command() {
  return {.name = "report",
          .operands = {"RESULTS [HTML]", 1, 2, Value::file},
          .summary = "make a page with answers, tables, pictures and timelines",
          .about =
              "RESULTS is a file that trilane run --json wrote; without HTML the page gets its "
              "name. It is one file that needs no network. Making it needs Python with "
              "matplotlib, and D3 (the package node-d3).",
          .examples = {"report results.json", "report results.json page.html --trace trace.json"},
          .groups = {{"Options",
                      {{"trace", "FILE", "what --trace wrote in the same run, for the timelines",
                        Value::file},
                       option::force}}},
          .run = report};
}

}  // namespace trilane
