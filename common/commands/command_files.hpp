// The commands, each defined in a file of its own.
#pragma once

#include "common/commands/options/command.hpp"

namespace trilane {

Command run_command();
Command sweep_command();
Command aa_command();
Command compare_command();
Command report_command();
Command show_command();
Command calibrate_command();
Command diagnose_command();
Command validate_command();
Command plan_command();
Command pipeline_command();
Command list_command();
Command ask_command();
Command loop_command();
Command record_command();
Command completion_command();
Command schema_command();
Command man_command();

}  // namespace trilane
