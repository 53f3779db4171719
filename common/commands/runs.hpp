// Implements `trilane run`, and what other commands that measure share with it: checks of options,
// trials of pipelines, fresh processes whose results are merged.
#pragma once

#include "common/base/console/console.hpp"
#include "common/commands/options/run_options.hpp"
#include "common/measure/processes/merge.hpp"

namespace trilane {

/// Measures every chosen variant on every chosen workload, prints the tables, writes the files, and
/// returns the exit code. `command_line` is recorded in the results. Throws UsageError,
/// OutputError, NoGpu and NotPossible before it measures; errors of variants are results.
int measure(const RunOptions& options, const std::string& command_line);

/// Calls measure() or, if options.processes asks for several, runs processes that each measure what
/// it would, with the seeds from options.comparison.seed on. Merges their results, prints the
/// tables, writes the files, and returns the most severe exit code. Opens no GPU then. Throws
/// UsageError, OutputError and, with a process's own message and exit code, ProcessFailed; the
/// results of the earlier processes are then printed and written, with a note.
int measure_as_asked(const RunOptions& options, const std::string& command_line);

/// Throws UsageError, naming the option and the remedy, for --pool without a variant that takes
/// memory from such a pool, and for --prove-break-even without a variant besides the reference.
/// Leaves out variants that cannot be split, if passes are, and throws UsageError if they were
/// named. Sets options.warnings: one for each knob that changes nothing for the chosen variants.
void check_read(const Given& given, RunOptions& options);

/// Restarts the simulated device as requested; does nothing on a GPU. Throws UsageError.
void start_device(const DeviceOptions& device, std::uint64_t seed);

/// The reason why a workload cannot be measured.
struct Refused {
  ExitCode code = exit_ok;  ///< exit_ok: it can be
  std::string reason;
};

/// Runs `trilane pipeline check` on each workload of options.workloads that has a pipeline, on a
/// GPU; on the simulated device it only loads the kernels. Returns one result for each workload.
/// Throws NoGpu, and UsageError, whose message may be a compiler's, if the file must be mended.
std::vector<Refused> tried(const RunOptions& options);

/// Does the same for commands that need every workload: throws WrongResult and NotPossible.
void ensure_run(const RunOptions& options);

/// The processes that a command starts, one after the other.
struct ProcessPlan {
  std::vector<ProcessLine> command_lines{};  ///< as for run_processes()
  std::vector<std::string> labels{};         ///< one for each, shown with its progress
  std::uint32_t of = 1;                      ///< processes that measure the same
  double seconds = 0;                        ///< approximate time of each
};

/// A command's treatment of the files of its processes.
struct ProcessFiles {
  /// Reads that of the process with this number, and merges it with the others.
  std::function<void(std::size_t number, const std::string& text)> add;
  std::function<void(const std::string& note)> note;  ///< keeps why processes are missing
  std::function<ExitCode()> finish;                   ///< shows and writes the merged results
};

/// Returns functions that read files with `read` and merge them with `merge`, which also takes the
/// numbers of their processes, into `all`, with the whole command line.
template <typename File, typename Merge>
ProcessFiles merged_into(File& all, File (*read)(const std::string&), Merge merge,
                         const std::string& command_line, std::function<ExitCode()> finish) {
  const auto add = [&all, read, merge, command_line, of_processes = std::vector<File>(),
                    numbers = std::vector<std::size_t>()](std::size_t number,
                                                          const std::string& text) mutable {
    of_processes.push_back(read(text));
    numbers.push_back(number);
    all = merge(of_processes, numbers);
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
/// process's message and exit code, ProcessFailed; earlier results are then finished, with a note.
int run_in_processes(const ProcessPlan& plan, const ProcessFiles& files, Console& console);

}  // namespace trilane
