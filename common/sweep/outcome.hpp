// The outcome of cells, and of the sweep.
#pragma once

#include <string>

#include "common/sweep/map/regime_map.hpp"
#include "common/text/exit_code.hpp"

namespace trilane {

/// What went wrong in the cell: the first variant that failed and why, or why it has no winner.
std::string failure_in(const Cell& cell);

/// The line that ends a sweep whose GPU was lost in `cell`. `resumable`: the map is in a file.
std::string loss_text(const RegimeMap& map, const Cell& cell, bool resumable);

/// The exit code of a finished sweep: wrong where anything failed, not possible where no cell has
/// a winner.
ExitCode exit_code_of(const RegimeMap& map);

}  // namespace trilane
