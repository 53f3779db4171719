// Measures variants: from options to results, tables and files.
#pragma once

#include "common/commands/options/options.hpp"

namespace trilane {

/// Measures every chosen variant on every chosen workload, prints the tables, writes the files, and
/// returns the exit code. Records `command_line` in the results. Throws UsageError, OutputError,
/// NoGpu and NotPossible before it measures; errors of variants become results.
int measure(const Options& options, const std::string& command_line);

}  // namespace trilane
