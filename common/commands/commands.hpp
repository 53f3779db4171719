// The commands of a program. Each returns its exit code.
#pragma once

#include "common/commands/options/options.hpp"

namespace trilane {

/// Measures every chosen variant on every chosen workload, prints the tables, writes the files,
/// and returns the exit code. `command_line` is recorded in the results. Throws UsageError,
/// OutputError, NoGpu and NotPossible before it measures; errors of variants are results.
int measure(const Options& options, const std::string& command_line);

/// Runs options.processes.count processes with the seeds from options.comparison.seed on, each of
/// which measures what measure() would, merges their results, prints the tables, writes the files,
/// and returns the most severe of their exit codes. Opens no GPU. Throws UsageError, OutputError
/// and, with a process's own message and exit code, ProcessFailed; the results of the earlier
/// processes are then printed and written, with a note.
int measure_in_processes(const Options& options, const std::string& command_line);

/// Compares options.aa with itself options.repeat times on each workload, each time set up anew and
/// with the next seed, prints one table, writes the --json file with every comparison in it, and
/// returns the exit code. Throws as measure().
int repeat_aa(const Options& options, const std::string& command_line);

/// Compares the chosen variants in every cell of options.sweep, prints the map, writes the file
/// after each cell, and returns the exit code. Resumes the map in the file if that has the same
/// options, GPU, driver and revision. Throws UsageError, OutputError, NoGpu and NotPossible before
/// it measures; errors of cells are results.
int sweep(const Options& options, const std::string& command_line);

/// Reads the files of options.diff, prints what changed for each variant, writes the --json file,
/// and returns the exit code: exit_wrong if --fail-on-slower finds something. Needs no GPU.
/// Throws UsageError, before it writes anything, on files that cannot be read or compared, and
/// OutputError.
int diff(const Options& options);

/// Measures the profile of the chosen device, writes it to the file of --calibrate, prints how long
/// that took, and returns the exit code. Throws UsageError, OutputError, NoGpu and
/// CudaError.
int calibrate(const Options& options);

}  // namespace trilane
