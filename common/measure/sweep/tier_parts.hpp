// Splits a comparison by the tiers of its variants.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "common/model/results/results.hpp"

namespace trilane {

/// Returns the positions of the variants of each tier, in the order of the tiers.
std::map<Tier, std::vector<std::size_t>> tiers_in(const Comparison& comparison);

/// Returns the reference and rounds of the comparison with these of its variants.
Comparison part_of(const Comparison& comparison, const std::vector<std::size_t>& places);

}  // namespace trilane
