// --compare and what goes with it.
#pragma once

#include "common/commands/options/given.hpp"
#include "common/diff/diff_request.hpp"

namespace trilane {

/// Throws UsageError when something else was given beside --compare, or what only goes with it
/// without it.
void check_diff(const Given& given);

/// Reads --compare, which was given. Throws UsageError.
DiffRequest read_diff(const Given& given);

}  // namespace trilane
