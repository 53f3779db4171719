// The measuring run, repeated in fresh processes.
#pragma once

#include "common/commands/options/options.hpp"

namespace trilane {

/// Runs options.processes.count processes with the seeds from options.comparison.seed on, each of
/// which measures what measure() would, merges what they found, prints the tables, writes the
/// files, and returns the exit code: the gravest of theirs. Opens no GPU. Throws UsageError,
/// OutputError and, with a process's own message and exit code, ProcessFailed; what the processes
/// before that one measured is then printed and written like the rest, and says so.
int measure_in_processes(const Options& options, const std::string& command_line);

}  // namespace trilane
