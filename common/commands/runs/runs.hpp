// Implements `trilane run`, in one process and in several.
#pragma once

#include "common/commands/options/run_options.hpp"

namespace trilane {

/// Measures every chosen variant on every chosen workload, prints the tables, writes the files, and
/// returns the exit code. `command_line` is recorded in the results. Throws UsageError,
/// OutputError, NoGpu and NotPossible before it measures; errors of variants are results.
int measure(const RunOptions& options, const std::string& command_line);

/// Runs options.processes.count processes, each of which measures what measure() would, with the
/// seeds from options.comparison.seed on. Merges their results, prints the tables, writes the
/// files, and returns the most severe exit code. Opens no GPU. Throws UsageError, OutputError and,
/// with a process's own message and exit code, ProcessFailed; the results of the earlier processes
/// are then printed and written, with a note.
int measure_in_processes(const RunOptions& options, const std::string& command_line);

/// Calls one of the two, depending on options.processes.
int measure_as_asked(const RunOptions& options, const std::string& command_line);

/// Refuses options that no chosen variant reads, see ensure_read(), and adds a warning for each
/// knob that changes nothing.
void check_read(const Given& given, RunOptions& options);

/// Restarts the simulated device as requested; does nothing on a GPU. Throws UsageError.
void start_device(const DeviceOptions& device, std::uint64_t seed);

}  // namespace trilane
