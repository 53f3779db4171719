// Measures experiments into a file of their own kind, as `trilane ask` and `trilane loop` do.
#pragma once

#include "common/base/console/interrupt.hpp"
#include "common/commands/runs.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/measure/context/context.hpp"
#include "common/measure/harness/cuda_bench.hpp"
#include "common/measure/rounds/contest.hpp"

namespace trilane {

/// The experiments of a command, and its treatment of their file.
template <typename File>
struct SavedExperiments {
  const char* command;
  std::size_t parts;  ///< experiments, each of which takes the time
  RoundSettings rounds;
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
  const std::uint32_t processes = read_processes(given, caller);
  start_device(options, run.rounds.seed);
  file.seed = run.rounds.seed;
  Console console({{"--json", given.output("json"), run.text}}, given.has("force"));
  if (processes > 1) {
    const auto merge = [&](const auto& files, const auto&) { return run.merge(files); };
    const auto end = [&] { return run.finish(console); };
    return run_in_processes(plan_of(arguments_of_child(given, run.command), processes,
                                    run.rounds.seed, run.rounds.seconds, run.parts),
                            merged_into(file, run.read, merge, caller.line, end), console);
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
