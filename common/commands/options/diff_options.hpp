// Reads --compare and its own options.
#pragma once

#include "common/commands/options/given.hpp"
#include "common/diff/diff_request.hpp"

namespace trilane {

/// Throws UsageError for an option that --compare excludes, or that needs --compare.
void check_diff(const Given& given);

/// Reads --compare, which must have been given. Throws UsageError.
DiffRequest read_diff(const Given& given);

}  // namespace trilane
