// Options that do not go together.
#pragma once

#include "common/commands/options/given.hpp"

namespace trilane {

/// Throws UsageError, naming the value and the way out, when options were given that exclude each
/// other, or that a program without the simulated device has not. Values need not be valid yet.
void check_conflicts(const Given& given, bool simulated);

}  // namespace trilane
