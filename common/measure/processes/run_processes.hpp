// Runs this program in fresh processes, one after the other.
#pragma once

#include "common/base/system/company.hpp"
#include "common/base/system/process.hpp"
#include "common/base/text/exit_code.hpp"

namespace trilane {

/// Returns the start of another process of this program. Its standard output is dropped; its
/// standard error goes to a file. It has its own process group, so that Ctrl-C reaches only the
/// parent, which passes it on; otherwise it would arrive twice and end the child at once. It is
/// killed when its creating thread ends, because nothing would read its results. Throws NotPossible
/// without /proc.
ProcessStart own_program(const std::vector<std::string>& arguments,
                         const std::filesystem::path& errors);

/// Thrown if a process leaves no results: its message and its exit code.
struct ProcessFailed : std::runtime_error {
  ProcessFailed(const std::string& message, ExitCode exit_code)
      : std::runtime_error(message), code(exit_code) {}
  ExitCode code;
};

/// Receives progress and results of processes, numbered from 0.
struct ProcessListener {
  std::function<void(std::size_t)> started = [](std::size_t) {};
  std::function<void(std::size_t)> waiting = [](std::size_t) {};  ///< every 20 ms
  /// Called after each process that left results, with its number, their text and its exit code.
  /// Unless that is exit_ok, the results say what went wrong.
  std::function<void(std::size_t, const std::string&, ExitCode)> ended =
      [](std::size_t, const std::string&, ExitCode) {};
};

/// The end of a process: its code and its last message, or its standard error if it has none.
struct ChildEnd {
  int code = 0;
  std::string message{};
};

/// Runs this program with these arguments; its standard output is dropped. Throws Interrupted after
/// a signal, which it passes on, and OutputError.
ChildEnd run_child(const std::vector<std::string>& arguments);

/// The place of a process in a run: its own number, from 0, and how many measure the same.
struct PlaceInRun {
  std::uint32_t process = 0, of = 1;
};

/// Returns which of the `of` processes of a run has command line number `index`: each process has
/// one line per setting, consecutively.
std::size_t process_of(std::size_t index, std::size_t command_lines, std::size_t of);

/// Returns this process's place; the only one unless run_processes() started it.
PlaceInRun place_in_run();

/// Returns how a process ended: "ended with exit code 1", "was ended by signal 9".
std::string ending_of(int code);

/// A process's arguments without --json.
struct ProcessLine {
  std::vector<std::string> arguments;
  /// Number of processes that run at the same time: this one and those beside it in a list, all
  /// with the same number.
  std::uint32_t together = 1;
};

/// Runs this program once for each of `command_lines`, of which `of` measure the same, and passes
/// on each --json file in their order. Needs an InterruptGuard: on an interrupt it signals each
/// running process once, keeps their results, and starts no other. The caller must not have opened
/// a GPU. Throws ProcessFailed if a process leaves no results, unless interrupted, or is ended by a
/// signal; processes that run beside it end first, and their results are passed on.
void run_processes(const std::vector<ProcessLine>& command_lines, std::uint32_t of,
                   const ProcessListener& listener);

/// Returns the company that this process works in; nothing if it works alone.
std::unique_ptr<Company> company_of_process();

}  // namespace trilane
