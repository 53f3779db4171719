// Reads the files that trilane merge and history judge together.
#pragma once

#include "common/commands/options/command_line.hpp"
#include "common/explain/fleet/fleet.hpp"

namespace trilane {

struct FleetFiles {
  std::vector<FleetRun> runs;
  std::string texts;              ///< of the runs, with commas between them, if they are kept
  std::vector<LeftOut> left_out;  ///< files that cannot be read
};

/// Reads results files and files of trilane merge, in order. Throws UsageError if none can be read.
FleetFiles read_fleet_files(const char* command, const std::vector<std::string>& paths, bool keeps);

/// Reads --false-alarms and --differs-from. Throws UsageError.
FleetRequest read_fleet_request(const Given& given);

}  // namespace trilane
