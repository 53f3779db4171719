// How a command ends that gave up with an exception.
#pragma once

#include <exception>
#include <string>

#include "common/base/text/exit_code.hpp"

namespace trilane {

/// The exit code, and the message for standard error: one line, or empty where a signal's handler
/// has said it.
struct Ending {
  ExitCode code;
  std::string message;
};

/// What was thrown as an ending. An error that has no type of its own is unexpected, and never
/// exit_wrong, which --fail-on-slower uses as its answer.
Ending ending_of(const std::exception_ptr& thrown);

}  // namespace trilane
