// Many short comparisons of a variant with itself: how often does the interval contain 1?
#pragma once

#include "common/commands/options/options.hpp"

namespace trilane {

/// Compares options.comparison's variant with itself options.repeat times on each workload, each
/// time set up anew and with the next seed. Prints one table, writes all comparisons to the --json
/// file, and returns the exit code. Throws as measure() does.
int repeat_aa(const Options& options, const std::string& command_line);

}  // namespace trilane
