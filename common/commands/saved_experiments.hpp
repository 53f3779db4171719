// Runs commands that measure into a file of their own kind: `trilane ask` and `trilane loop`.
#pragma once

#include <string>
#include <vector>

#include "common/base/console/console.hpp"
#include "common/base/console/interrupt.hpp"
#include "common/base/text/choice.hpp"
#include "common/commands/in_processes.hpp"
#include "common/commands/options/run_options.hpp"
#include "common/commands/runs.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/measure/context/context.hpp"
#include "common/measure/gpu/runtime/device.hpp"
#include "common/measure/harness/bench/cuda_bench.hpp"
#include "common/measure/processes/run_processes.hpp"
#include "common/measure/rounds/shuffled_rounds.hpp"

namespace trilane {

/// Returns the entries of `all` that the operands name, in the order given. Throws UsageError.
template <typename Entry>
std::vector<Entry> named_by_operands(const Given& given, const char* command,
                                     const std::vector<Entry>& all) {
  std::vector<std::string> names;
  for (const Entry& entry : all) names.push_back(entry.name);
  std::vector<Entry> some;
  for (const std::string& name : given.operands()) {
    some.push_back(all[parse_choice(command, name, names)]);
  }
  return some;
}

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
