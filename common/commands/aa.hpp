// Many short comparisons of a variant with itself: how often do the intervals hold the truth?
#pragma once

#include "common/commands/options/options.hpp"

namespace trilane {

/// Compares options.aa with itself options.repeat times on each workload, each time set up anew and
/// with the next seed, prints one table, writes the --json file with every comparison in it, and
/// returns the exit code. Throws as measure().
int repeat_aa(const Options& options, const std::string& command_line);

}  // namespace trilane
