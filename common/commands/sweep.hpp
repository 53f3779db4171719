// --sweep: from options to a map of regimes, in words and in a file.
#pragma once

#include "common/commands/options/options.hpp"

namespace trilane {

/// Compares the chosen variants in every cell of options.sweep, prints the map, writes the file
/// after each cell, and returns the exit code. Continues the map in the file if it has the same
/// options, GPU, revision and driver. Throws UsageError, OutputError, NoGpu and NotPossible before
/// it measures; errors in cells become results.
int sweep(const Options& options, const std::string& command_line);

}  // namespace trilane
