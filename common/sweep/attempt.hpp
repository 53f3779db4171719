// An error in a cell ends that cell, and the others go on.
#pragma once

#include <functional>

#include "common/sweep/map/regime_map.hpp"

namespace trilane {

/// Runs `action`. What it throws becomes the cell's status and reason: not_supported where the cell
/// cannot run here or memory has run out, failed otherwise. Returns whether it threw nothing.
bool attempt(Cell& cell, const std::function<void()>& action);

}  // namespace trilane
