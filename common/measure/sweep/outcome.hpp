// The outcome of cells and of a sweep: an error in a cell ends only that cell.
#pragma once

#include <functional>
#include <string>

#include "common/base/text/exit_code.hpp"
#include "common/measure/sweep/map/regime_map.hpp"

namespace trilane {

/// Runs `action` and returns true if it succeeded. An exception becomes the cell's status and
/// reason: not_supported if the cell cannot run here, out_of_memory, otherwise failed. After a
/// signal the cell stays as it was.
bool attempt(Cell& cell, const std::function<void()>& action);

/// Returns the failure in the cell: the first variant that failed, or why there is no winner.
std::string failure_in(const Cell& cell);

/// Returns the message that ends a sweep whose GPU was lost in `cell`. `resumable` means that a
/// file has the map.
std::string loss_text(const RegimeMap& map, const Cell& cell, bool resumable);

/// Returns the exit code of a complete sweep: wrong if anything failed, not possible if memory ran
/// out or no cell has a winner.
ExitCode exit_code_of(const RegimeMap& map);

}  // namespace trilane
