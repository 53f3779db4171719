// A comparison in parts, one for each tier of its variants.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "common/model/results/results.hpp"

namespace trilane {

/// The positions of the variants of each tier, in the order of the tiers.
std::map<Tier, std::vector<std::size_t>> tiers_in(const Comparison& comparison);

/// Reference and rounds of the comparison, and those of its variants.
Comparison part_of(const Comparison& comparison, const std::vector<std::size_t>& places);

}  // namespace trilane
