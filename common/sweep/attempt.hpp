// An error in a cell ends that cell only.
#pragma once

#include <functional>

#include "common/sweep/map/regime_map.hpp"

namespace trilane {

/// Runs `action` and returns whether it succeeded. An exception becomes the cell's status and
/// reason: not_supported if the cell cannot run here or memory ran out, failed otherwise.
bool attempt(Cell& cell, const std::function<void()>& action);

}  // namespace trilane
