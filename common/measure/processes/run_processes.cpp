#include "common/measure/processes/run_processes.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <system_error>

#include "common/base/console/interrupt.hpp"
#include "common/base/console/last_message.hpp"
#include "common/base/console/temporary.hpp"
#include "common/base/json/input_file.hpp"
#include "common/base/text/quoting.hpp"
#include "common/explain/analysis/verdict/derive.hpp"
#include "common/measure/processes/merge.hpp"

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

/// Returns the last line that a failed process wrote, or why it was not started.
std::string last_line(const ProcessEnd& end, const fs::path& errors) {
  if (end.start_error != 0) return std::strerror(end.start_error);
  std::ifstream file(errors);
  std::string last = "it printed no message";
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) last = printable(line);
  }
  return last;
}

/// Waits for the child's end. Polls rarely, because the child is measuring.
ProcessEnd finish(Process& child, std::size_t index, const ProcessListener& listener) {
  constexpr useconds_t pause_us = 20'000;
  bool passed_on = false;
  while (!child.ended()) {
    if (must_end()) throw Interrupted();
    if (interrupted() && !passed_on) {
      child.send(SIGINT);
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

ProcessStart own_program(const std::vector<std::string>& arguments, const fs::path& errors) {
  constexpr const char *itself = "/proc/self/exe", *nowhere = "/dev/null";
  std::error_code error;
  std::vector<std::string> words{fs::read_symlink(itself, error)};
  if (error) throw NotPossible("several processes need /proc: " + error.message());
  words.insert(words.end(), arguments.begin(), arguments.end());
  return {.words = std::move(words),
          .program = itself,
          .variables = {message_file_variable},  // which names this process's own
          .streams = {{{.path = nowhere}, {.path = nowhere}, {.path = errors}}},
          .own_group = true,
          .dies_with_parent = true};
}

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
  ProcessStart start = own_program(arguments, errors);
  start.variables = {fmt::format("{}={}", message_file_variable, message.string())};
  Process child(start);
  const ProcessEnd ended = finish(child, 0, {});
  if (interrupted()) throw Interrupted();
  if (ended.start_error != 0) return {ended.shell_code(), std::strerror(ended.start_error)};
  ChildEnd end{.code = ended.shell_code(), .message = {}};
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
    ProcessStart start = own_program(arguments, errors);
    start.variables.push_back(
        fmt::format("{}={}/{}", place_variable, process_of(index, command_lines.size(), of), of));
    Process child(start);
    const ProcessEnd end = finish(child, index, listener);
    const int code = end.shell_code();
    std::error_code none;
    if (fs::exists(json, none)) {
      const std::string text = content_of_input(json);
      fs::remove(json, none);
      const bool whole = ended_by_itself(code);
      listener.ended(text, whole ? static_cast<ExitCode>(code) : exit_wrong);
      if (!whole)
        fail(index, command_lines.size(), code, "part of its results", last_line(end, errors));
    } else if (!interrupted()) {
      fail(index, command_lines.size(), code, "no results", last_line(end, errors));
    }
  }
}

std::vector<std::string> arguments_of(const Setting& setting) {
  return {fmt::format("--host-memory={}", name_of(setting.host_memory)),
          fmt::format("--wait={}", name_of(setting.wait))};
}

std::vector<std::string> line_of_process(std::vector<std::string> arguments, std::uint64_t seed,
                                         double seconds) {
  arguments.push_back(fmt::format("--seed={}", seed));
  arguments.push_back("--processes=1");
  arguments.push_back(fmt::format("--time={:.0f}us", std::max(1.0, seconds * 1e6)));
  return arguments;
}

std::vector<std::vector<std::string>> command_lines(const ProcessRequest& request,
                                                    std::uint64_t first_seed) {
  std::vector<std::vector<std::string>> lines;
  for (std::uint32_t process = 0; process < request.count; ++process) {
    for (const Setting& setting : request.settings) {
      std::vector<std::string> arguments = request.arguments;
      for (const std::string& argument : arguments_of(setting)) arguments.push_back(argument);
      lines.push_back(line_of_process(std::move(arguments), first_seed + process, request.seconds));
    }
  }
  return lines;
}

Results merged_by_setting(std::span<const Results> of_processes, std::size_t settings) {
  std::vector<Results> by_setting;
  std::size_t workloads = 0;
  for (std::size_t setting = 0; setting < std::min(settings, of_processes.size()); ++setting) {
    std::vector<Results> all;
    for (std::size_t i = setting; i < of_processes.size(); i += settings) {
      all.push_back(of_processes[i]);
    }
    by_setting.push_back(merged(all));
    workloads = std::max(workloads, by_setting.back().comparisons.size());
  }
  Results results{
      .context = merged_context(by_setting), .answers = {}, .doubts = {}, .comparisons = {}};
  for (std::size_t i = 0; i < workloads; ++i) {
    for (const Results& one : by_setting) {
      if (i < one.comparisons.size()) results.comparisons.push_back(one.comparisons[i]);
    }
  }
  derive_answers(results);
  return results;
}

}  // namespace trilane
