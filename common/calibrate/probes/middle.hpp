// The middle of several calibrations, figure by figure.
#pragma once

#include <vector>

#include "common/device/profile/profile.hpp"

namespace trilane {

/// The first of `profiles`, with every measured figure replaced by the median over all of them.
/// They hold the same figures; there is at least one.
Profile middle(const std::vector<Profile>& profiles);

}  // namespace trilane
