// --sweep and what it is compared by.
#pragma once

#include <string>
#include <vector>

#include "common/commands/options/given.hpp"
#include "common/sweep/map/sweep_request.hpp"

namespace trilane {

/// Reads --sweep, which was given. Throws UsageError.
SweepRequest read_sweep(const Given& given);

/// The variants that a sweep compares unless it is told otherwise: of `known`, those that a user
/// would choose between; all of them where it knows none of these.
std::vector<std::string> main_variants(const std::vector<std::string>& known);

}  // namespace trilane
