// Reads --host-memory and --wait.
#pragma once

#include <vector>

#include "common/commands/options/given.hpp"
#include "common/processes/setting.hpp"

namespace trilane {

/// Each named kind of memory with each named way to wait, ordered from plain to elaborate. Throws
/// UsageError.
std::vector<Setting> chosen_settings(const Given& given);

}  // namespace trilane
