// The prices that several processes found for one variant, as one.
#pragma once

#include <optional>
#include <span>

#include "common/results/results.hpp"

namespace trilane {

/// All set-ups of all processes. Of the passes after a set-up as many as every process had: how
/// many fit into its time, each finds out for itself. Figures that a process has but one of are
/// those of the first, and a process whose set-ups had other phases is left out. Nothing of none.
std::optional<Price> merged(std::span<const Price* const> prices);

}  // namespace trilane
