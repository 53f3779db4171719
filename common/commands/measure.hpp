// The measuring run: from options to results, table and files.
#pragma once

#include "common/commands/options/options.hpp"

namespace trilane {

/// Measures every chosen variant on every chosen workload, prints the tables, writes the files,
/// and returns the exit code. `command_line` is recorded in the results. Throws UsageError,
/// OutputError, NoGpu and NotPossible before it measures; errors of variants are results.
int measure(const Options& options, const std::string& command_line);

}  // namespace trilane
