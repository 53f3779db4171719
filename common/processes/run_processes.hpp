// This program in fresh processes of its own, one after the other.
#pragma once

#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/results/results.hpp"
#include "common/text/exit_code.hpp"

namespace trilane {

/// A process that left no results: what it said, and its exit code.
struct ProcessFailed : std::runtime_error {
  ProcessFailed(const std::string& message, ExitCode exit_code)
      : std::runtime_error(message), code(exit_code) {}
  ExitCode code;
};

/// What a process left behind; with a code other than exit_ok its results say what went wrong.
struct ProcessOutcome {
  Results results;
  ExitCode code = exit_ok;
};

/// Hears how far it is; processes are counted from 0.
struct ProcessListener {
  std::function<void(std::size_t)> started = [](std::size_t) {};
  std::function<void(std::size_t)> waiting = [](std::size_t) {};  ///< every 20 ms
  /// After each process that left results, with all there are.
  std::function<void(std::span<const ProcessOutcome>)> ended = [](std::span<const ProcessOutcome>) {
  };
};

/// Runs this program once for each of `command_lines`, arguments without --json, and reads the
/// results that it leaves. Needs an InterruptGuard: an interrupt is passed on to the process that
/// runs, once, and no other is started; what it has left then counts. The caller must not have
/// opened a GPU. Throws ProcessFailed when a process leaves no results, unless interrupted.
std::vector<ProcessOutcome> run_processes(
    const std::vector<std::vector<std::string>>& command_lines, const ProcessListener& listener);

}  // namespace trilane
