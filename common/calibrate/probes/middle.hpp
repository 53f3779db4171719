// The median of several calibrations, figure by figure.
#pragma once

#include <vector>

#include "common/device/profile/profile.hpp"

namespace trilane {

/// The first of `profiles`, with every measured figure replaced by the median over all of them.
/// There is at least one, and all have the same figures.
Profile middle(const std::vector<Profile>& profiles);

}  // namespace trilane
