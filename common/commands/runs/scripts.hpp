// Runs a script of plots/ in place of this program.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace trilane {

/// Returns the file of this program.
std::filesystem::path own_path();

/// Returns the script plots/report.py. It lies beside an installed program in share/, and beside a
/// build folder in the source tree. Throws NotPossible if it is in neither.
std::filesystem::path report_script();

/// Returns the first Python with matplotlib. Throws NotPossible without one.
std::string python();

/// Becomes the command. Signals that stop a run wait until its script takes them, in
/// plots/stopping.py: Python itself would end with a traceback, or silently. Throws NotPossible if
/// it cannot be started.
[[noreturn]] void become(std::vector<std::string> words);

}  // namespace trilane
