#include "common/measure/processes/run_processes.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "common/base/console/interrupt.hpp"
#include "common/base/console/temporary.hpp"
#include "common/base/json/input_file.hpp"
#include "common/base/text/quoting.hpp"
#include "common/measure/processes/child.hpp"

namespace trilane {

namespace {

namespace fs = std::filesystem;

constexpr const char* place_variable = "TRILANE_PLACE_IN_RUN";

/// Makes a folder for the processes' files.
TemporaryFolder folder_for_files() {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  try {
    if (error) throw std::system_error(error);
    remove_left_behind(parent);
    return TemporaryFolder(parent);
  } catch (const std::system_error& failure) {
    const char* const asked = std::getenv("TMPDIR");
    throw OutputError(fmt::format("TMPDIR {}: cannot make a folder ({}); set it to another one",
                                  in_quotes(asked ? asked : parent.string()),
                                  failure.code().message()));
  }
}

/// Returns the last line that a failed process wrote.
std::string last_line(const fs::path& errors) {
  std::ifstream file(errors);
  std::string last = "it printed no message";
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) last = printable(line);
  }
  return last;
}

/// Waits for the child and returns its exit code. Polls rarely, because the child is measuring.
int finish(Child& child, std::size_t index, const ProcessListener& listener) {
  constexpr useconds_t pause_us = 20'000;
  bool passed_on = false;
  while (!child.ended()) {
    if (must_end()) throw Interrupted();
    if (interrupted() && !passed_on) {
      child.interrupt();
      passed_on = true;
    }
    listener.waiting(index);
    usleep(pause_us);
  }
  return *child.ended();
}

/// Returns true if a process ended with one of this program's exit codes.
bool ended_by_itself(int code) {
  return (code >= exit_ok && code <= exit_unexpected) || code == exit_interrupted;
}

[[noreturn]] void fail(std::size_t index, std::size_t count, int code, const char* left,
                       const std::string& said) {
  const bool known = ended_by_itself(code) && code != exit_ok;
  throw ProcessFailed(fmt::format("process {} of {} {} and left {}: {}", index + 1, count,
                                  ending_of(code), left, said),
                      known ? static_cast<ExitCode>(code) : exit_wrong);
}

}  // namespace

std::size_t process_of(std::size_t index, std::size_t command_lines, std::size_t of) {
  return index * of / command_lines;
}

PlaceInRun place_in_run() {
  PlaceInRun place;
  const char* const text = std::getenv(place_variable);
  if (text && std::sscanf(text, "%u/%u", &place.process, &place.of) != 2) place = {};
  return place;
}

std::string ending_of(int code) {
  return code >= 128 && code != exit_interrupted ? fmt::format("was ended by signal {}", code - 128)
                                                 : fmt::format("ended with exit code {}", code);
}

ChildEnd run_child(const std::vector<std::string>& arguments) {
  const TemporaryFolder folder = folder_for_files();
  const fs::path errors = folder.path() / "errors", message = folder.path() / "message";
  ChildEnd end;
  {
    Child child(arguments, errors, message);
    end.code = finish(child, 0, {});
  }
  if (interrupted()) throw Interrupted();
  std::ifstream file(fs::exists(message) ? message : errors);
  for (std::string line; std::getline(file, line);) {
    if (!end.message.empty()) end.message += '\n';
    end.message += printable(line);
  }
  return end;
}

void run_processes(const std::vector<std::vector<std::string>>& command_lines, std::uint32_t of,
                   const ProcessListener& listener) {
  const TemporaryFolder folder = folder_for_files();
  const fs::path json = folder.path() / "results.json", errors = folder.path() / "errors";
  for (std::size_t index = 0; index < command_lines.size() && !interrupted(); ++index) {
    std::vector<std::string> arguments = command_lines[index];
    arguments.push_back("--json=" + json.string());
    listener.started(index);
    int code = 0;
    {
      const std::string place =
          fmt::format("{}={}/{}", place_variable, process_of(index, command_lines.size(), of), of);
      Child child(arguments, errors, {}, {.variables = {place}});
      code = finish(child, index, listener);
    }
    std::error_code none;
    if (fs::exists(json, none)) {
      const std::string text = content_of_input(json);
      fs::remove(json, none);
      const bool whole = ended_by_itself(code);
      listener.ended(text, whole ? static_cast<ExitCode>(code) : exit_wrong);
      if (!whole) fail(index, command_lines.size(), code, "part of its results", last_line(errors));
    } else if (!interrupted()) {
      fail(index, command_lines.size(), code, "no results", last_line(errors));
    }
  }
}

}  // namespace trilane
