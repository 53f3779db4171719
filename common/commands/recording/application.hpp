// Runs another program as if it had been started by itself.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/base/system/process.hpp"

namespace trilane {

/// The end of an application.
struct ApplicationEnd : ProcessEnd {
  bool stopped = false;  ///< a signal that stops a run came meanwhile, whatever the program did
                         ///< about it
};

/// Runs the program that the first word names, found as by a shell, with these variables set in its
/// environment, and waits for its end. Standard streams, terminal and process group are the
/// caller's. Passes on a signal that another process sends to this one; one from the terminal
/// reaches both anyway. Throws NotPossible if no process can be created.
ApplicationEnd run_application(const std::vector<std::string>& words,
                               const std::vector<std::pair<std::string, std::string>>& environment);

}  // namespace trilane
