// The process that is recorded, and the machine that it runs on.
#pragma once

#include <string>

#include "common/application/iteration/records/application_recording.hpp"

namespace trilane {

/// Its command line, quoted as for a shell.
std::string own_command_line();

/// To be called with a current context.
RecordedMachine own_machine();

}  // namespace trilane
