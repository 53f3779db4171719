// Runs another program as if it had been started by itself.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace trilane {

/// The end of a program. It succeeded unless one of the three is not 0.
struct ApplicationEnd {
  int exit_code = 0;
  int signal = 0;        ///< that ended it
  int start_error = 0;   ///< errno: it was not started
  bool stopped = false;  ///< a signal that stops a run came meanwhile, whatever the program did
                         ///< about it
};

/// Runs the program that the first word names, found as by a shell, with these variables added to
/// the environment, and waits for its end. Standard streams, terminal and process group are the
/// caller's. Passes on a signal that another process sends to this one; one from the terminal
/// reaches both anyway. Throws NotPossible if no process can be created.
ApplicationEnd run_application(const std::vector<std::string>& words,
                               const std::vector<std::pair<std::string, std::string>>& environment);

/// Returns the exit code that a shell would give.
int shell_code(const ApplicationEnd& end);

}  // namespace trilane
