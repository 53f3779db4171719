// What a profile must be beyond its fields' types.
#pragma once

#include "common/device/profile/profile.hpp"

namespace trilane {

/// Throws a Misfit with the place for a rate that is zero, a cost by size without sizes
/// or with such as do not rise, or kernels that
/// kernel_time() could not be computed from: shapes that cannot be or come twice, or none of a
/// kind.
void check(const Profile& profile);

}  // namespace trilane
