// --processes: repeats a measurement in fresh processes.
#pragma once

#include "common/commands/options/options.hpp"

namespace trilane {

/// Measures in options.processes.count processes what measure() would, with consecutive seeds from
/// options.comparison.seed on. Merges the results, prints the tables, writes the files, and returns
/// the gravest exit code. Opens no GPU. Throws UsageError, OutputError and ProcessFailed with the
/// process's own message and exit code; the results of earlier processes are printed and written
/// first, with a note.
int measure_in_processes(const Options& options, const std::string& command_line);

}  // namespace trilane
