// Runs a command in fresh processes, and merges their results; or in this one, if it measures into
// a file of its own kind, as `trilane ask` and `trilane loop` do.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/base/console/console.hpp"
#include "common/base/console/interrupt.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/commands/runs.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/measure/context/context.hpp"
#include "common/measure/gpu/runtime/device.hpp"
#include "common/measure/harness/cuda_bench.hpp"
#include "common/measure/processes/merge.hpp"
#include "common/measure/rounds/shuffled_rounds.hpp"

namespace trilane {

/// The processes that a command starts, one after the other.
struct ProcessPlan {
  std::vector<std::vector<std::string>> command_lines;  ///< as for run_processes()
  std::vector<std::string> labels;                      ///< of each, for the progress display
  std::uint32_t of = 1;                                 ///< number of processes that measure the
                                                        ///< same
  double seconds = 0;                                   ///< approximate time of each
};

/// A command's treatment of the files of its processes.
struct ProcessFiles {
  std::function<void(const std::string& text)> add;   ///< reads one, and merges it with the others
  std::function<void(const std::string& note)> note;  ///< keeps why processes are missing
  std::function<ExitCode()> finish;                   ///< shows and writes the merged results
};

/// Returns functions that read files with `read` and merge them with `merge` into `all`, with the
/// whole command line.
template <typename File, typename Merge>
ProcessFiles merged_into(File& all, File (*read)(const std::string&), Merge merge,
                         const std::string& command_line, std::function<ExitCode()> finish) {
  const auto add = [&all, read, merge, command_line,
                    of_processes = std::vector<File>()](const std::string& text) mutable {
    of_processes.push_back(read(text));
    all = merge(std::span<const File>(of_processes));
    all.context = merged_context(of_processes);
    all.context.command_line = command_line;
  };
  const auto note = [&all](const std::string& text) { all.context.notes.push_back(text); };
  return {.add = add, .note = note, .finish = std::move(finish)};
}

/// Returns `count` copies of `arguments`, each with its own seed starting at `first_seed`. They
/// share the time of each of `parts`.
ProcessPlan plan_of(const std::vector<std::string>& arguments, std::uint32_t count,
                    std::uint64_t first_seed, double seconds, std::size_t parts);

/// Runs the processes, and writes the console's files after each, so that an interrupt loses no
/// measurement. Opens no GPU. Returns the most severe exit code. Throws OutputError and, with a
/// process's own message and exit code, ProcessFailed; the results of earlier processes are then
/// finished, with a note.
int run_in_processes(const ProcessPlan& plan, const ProcessFiles& files, Console& console);

/// The experiments of a command, and its treatment of their file.
template <typename File>
struct SavedExperiments {
  const char* command;
  std::size_t parts;  ///< experiments, each of which takes the time
  RoundSettings rounds;
  std::uint32_t processes;
  File (*read)(const std::string& text);
  File (*merge)(std::span<const File> of_processes);
  std::function<std::string()> text;         ///< of the file; empty before there is anything
  std::function<void(Console&)> measure;     ///< in this process
  std::function<ExitCode(Console&)> finish;  ///< shows and writes the results
};

/// Measures into `file`, in this process or in several, and returns the exit code. Throws
/// UsageError, OutputError, NoGpu and, with a process's own message and exit code, ProcessFailed.
template <typename File>
int run_experiments(const Given& given, const Caller& caller, const DeviceOptions& options,
                    File& file, const SavedExperiments<File>& run) {
  start_device(options, run.rounds.seed);
  file.seed = run.rounds.seed;
  Console console({{"--json", given.output("json"), run.text}}, given.has("force"));
  if (run.processes > 1) {
    const auto end = [&] { return run.finish(console); };
    return run_in_processes(plan_of(arguments_of_child(given, run.command), run.processes,
                                    run.rounds.seed, run.rounds.seconds, run.parts),
                            merged_into(file, run.read, run.merge, caller.line, end), console);
  }
  const InterruptGuard guard;
  const Device device = open_device(options.number);
  warm_process({}, device.memory_pools);
  file.context = start_context(device, caller.line, simulated_profile());
  run.measure(console);
  finish_context(file.context);
  return run.finish(console);
}

}  // namespace trilane
