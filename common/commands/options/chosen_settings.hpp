// From the command line to the settings of host memory and waiting.
#pragma once

#include <vector>

#include "common/commands/options/given.hpp"
#include "common/processes/setting.hpp"

namespace trilane {

/// --host-memory and --wait: each of the named kinds of memory with each of the named ways to wait,
/// in their order of plainness. Throws UsageError.
std::vector<Setting> chosen_settings(const Given& given);

}  // namespace trilane
