// Reads --sweep, and chooses its default variants.
#pragma once

#include <string>
#include <vector>

#include "common/commands/options/given.hpp"
#include "common/sweep/map/sweep_request.hpp"

namespace trilane {

/// Reads --sweep, which must have been given. Throws UsageError.
SweepRequest read_sweep(const Given& given);

/// The default variants of a sweep: those of `known` that a user would choose between, or all of
/// `known` if it has none of these.
std::vector<std::string> main_variants(const std::vector<std::string>& known);

}  // namespace trilane
