// --compare: two results files side by side.
#pragma once

#include "common/commands/options/options.hpp"

namespace trilane {

/// Reads the files of options.diff, prints what changed for each variant, writes the --json file,
/// and returns the exit code: exit_wrong if --fail-on-slower fails. Needs no GPU. Throws UsageError
/// for files that cannot be read or compared, before it writes anything, and OutputError.
int diff(const Options& options);

}  // namespace trilane
