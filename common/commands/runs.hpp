// Implements `trilane run`, and what other commands that measure variants share with it: checks of
// options, trials of pipelines, one process or several.
#pragma once

#include <string>
#include <vector>

#include "common/commands/options/command_line.hpp"
#include "common/commands/options/run_options.hpp"
#include "common/measure/harness/comparison_settings.hpp"

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
/// Sets options.warnings: one for each knob that changes nothing for the chosen variants, which are
/// --lanes, --order and a sweep of lanes if none of them uses lanes. These are not errors: a user
/// may run several variants with the same knobs.
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

}  // namespace trilane
