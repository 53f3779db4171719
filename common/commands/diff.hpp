// Two results files side by side.
#pragma once

#include "common/commands/options/options.hpp"

namespace trilane {

/// Reads the files of options.diff, prints what changed for each variant, writes the --json file,
/// and returns the exit code: exit_wrong where --fail-on-slower finds something. Needs no GPU.
/// Throws UsageError, before it writes anything, on files that cannot be read or compared, and
/// OutputError.
int diff(const Options& options);

}  // namespace trilane
