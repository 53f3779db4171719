// Finds options that affect none of the chosen variants.
#pragma once

#include <string>
#include <vector>

#include "common/commands/options/given.hpp"
#include "common/measure/harness/comparison_settings.hpp"

namespace trilane {

/// Throws UsageError, naming the option and the remedy, for --pool without a variant that takes
/// memory from such a pool, and for --prove-break-even without a variant besides the reference.
void ensure_read(const Given& given, const ComparisonSettings& comparison);

/// Returns a warning for each knob that changes nothing for the chosen variants: --lanes, --order
/// and a sweep of lanes if none of them uses lanes. These are not errors: a user may run several
/// variants with the same knobs.
std::vector<std::string> unread_knobs(const Given& given, const ComparisonSettings& comparison);

}  // namespace trilane
