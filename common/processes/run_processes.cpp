#include "common/processes/run_processes.hpp"

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "common/console/interrupt.hpp"
#include "common/processes/child.hpp"
#include "common/results/files/results_io.hpp"

namespace trilane {

namespace {

namespace fs = std::filesystem;

/// A temporary folder for the processes' files; removed at the end.
class Folder {
 public:
  Folder() {
    std::string name = fs::temp_directory_path() / "trilane-processes-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) {
      throw OutputError(fmt::format("{}: cannot make a folder ({}); set TMPDIR to another one",
                                    name, std::generic_category().message(errno)));
    }
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code none;
    fs::remove_all(path_, none);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string content(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// The last line that a failed process wrote.
std::string last_line(const fs::path& errors) {
  std::ifstream file(errors);
  std::string last = "it printed no message";
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) last = line;
  }
  return last;
}

/// Waits for the child and returns its exit code. Polls rarely, because the child is measuring.
int finish(Child& child, std::size_t index, const ProcessListener& listener) {
  constexpr useconds_t pause_us = 20'000;
  bool passed_on = false;
  while (!child.ended()) {
    if (interrupted() && !passed_on) {
      child.interrupt();
      passed_on = true;
    }
    listener.waiting(index);
    usleep(pause_us);
  }
  return *child.ended();
}

[[noreturn]] void fail(std::size_t index, std::size_t count, int code, const std::string& said) {
  const std::string how = code >= 128 && code != exit_interrupted
                              ? fmt::format("was ended by signal {}", code - 128)
                              : fmt::format("ended with exit code {}", code);
  const bool known = code > exit_ok && code <= exit_output;
  throw ProcessFailed(
      fmt::format("process {} of {} {} and left no results: {}", index + 1, count, how, said),
      known ? static_cast<ExitCode>(code) : exit_wrong);
}

}  // namespace

std::vector<ProcessOutcome> run_processes(
    const std::vector<std::vector<std::string>>& command_lines, const ProcessListener& listener) {
  const Folder folder;
  const fs::path json = folder.path() / "results.json", errors = folder.path() / "errors";
  std::vector<ProcessOutcome> outcomes;
  for (std::size_t index = 0; index < command_lines.size() && !interrupted(); ++index) {
    std::vector<std::string> arguments = command_lines[index];
    arguments.push_back("--json=" + json.string());
    listener.started(index);
    int code = 0;
    {
      Child child(arguments, errors);
      code = finish(child, index, listener);
    }
    if (fs::exists(json)) {
      outcomes.push_back({from_json(content(json)), static_cast<ExitCode>(code)});
      fs::remove(json);
      listener.ended(outcomes);
    } else if (!interrupted()) {
      fail(index, command_lines.size(), code, last_line(errors));
    }
  }
  return outcomes;
}

}  // namespace trilane
