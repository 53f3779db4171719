// Runs another program, without a shell.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace trilane {

struct ToolResult {
  int code = 0;         ///< exit code, or 128 plus the number of the signal that ended it
  bool late = false;    ///< it was ended at the time limit
  std::string printed;  ///< its standard output and standard error, at most 1 MiB
};

/// Runs `program` in `folder`, which also serves for its temporary files (TMPDIR), and waits for
/// its end. It and its descendants are killed after `limit_s` seconds, or if this program is
/// interrupted, which throws Interrupted. Throws NotPossible if it cannot be started.
ToolResult run_tool(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                    const std::filesystem::path& folder, double limit_s);

}  // namespace trilane
