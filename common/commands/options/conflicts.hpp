// Options that exclude each other.
#pragma once

#include "common/commands/options/given.hpp"

namespace trilane {

/// Throws UsageError, naming the value and how to fix it, for options that exclude each other or
/// that only a program with the simulated device has. Values need not be valid yet.
void check_conflicts(const Given& given, bool simulated);

}  // namespace trilane
