// Converts the exception that ended a command to its exit code and message.
#pragma once

#include "common/base/text/exit_code.hpp"

namespace trilane {

/// The exit code, and the message for standard error: a line, or empty if already printed.
struct Ending {
  ExitCode code;
  std::string message;
};

/// Returns the ending for what was thrown. An error without a type of its own is unexpected, and
/// never exit_wrong, which --fail-on-slower uses as its answer.
Ending ending_of(const std::exception_ptr& thrown);

}  // namespace trilane
