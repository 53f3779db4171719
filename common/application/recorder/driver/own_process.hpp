// Describes the recorded process, and the machine that it runs on.
#pragma once

#include <string>

#include "common/application/iteration/records/application_recording.hpp"

namespace trilane {

/// Returns its command line, quoted as for a shell.
std::string own_command_line();

/// Needs a current context.
RecordedMachine own_machine();

}  // namespace trilane
