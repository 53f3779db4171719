// The sweep: from options to a map of regimes, its words and its file.
#pragma once

#include "common/commands/options/options.hpp"

namespace trilane {

/// Compares the chosen variants in every cell of options.sweep, prints the map, writes the file
/// after each cell, and returns the exit code. Goes on with the map in the file where that was
/// begun with the same options, on the same GPU, by the same revision and driver. Throws
/// UsageError, OutputError, NoGpu and NotPossible before it measures; errors of cells are results.
int sweep(const Options& options, const std::string& command_line);

}  // namespace trilane
