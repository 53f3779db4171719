// The permitted accesses to bytes, given their past.
#pragma once

#include <string>

#include "common/device/simulator/hazards/findings.hpp"
#include "common/device/simulator/operations/segments.hpp"

namespace trilane::simulator {

/// Checks one access of an operation to the bytes of `range`, which have a common past, and updates
/// that past. Adds errors to `findings`.
void apply_access(const OperationPtr& operation, Touch touch, const Range& range, Past& past,
                  Findings& findings);

/// Returns what released the bytes, for reports: an operation or a call of the host.
std::string releaser_of(const Past& past);

}  // namespace trilane::simulator
