// Host memory and waiting: what one process cannot compare with another way.
#pragma once

#include <vector>

#include "common/commands/options/given.hpp"
#include "common/commands/options/options.hpp"

namespace trilane {

/// --host-memory and --wait: each of the named kinds of memory with each of the named ways to wait,
/// in their order of plainness. Throws UsageError.
std::vector<Setting> read_settings(const Given& given);

/// The setting as arguments: --host-memory=pageable, --wait=spin.
std::vector<std::string> arguments_of(const Setting& setting);

}  // namespace trilane
