// Options that no chosen variant reads.
#pragma once

#include <string>
#include <vector>

#include "common/commands/options/options.hpp"

namespace trilane {

/// Throws UsageError, naming the option and the way out, where an option only affects variants
/// that were not chosen: --pool without a variant that takes memory by it, --prove-break-even
/// without a variant besides the reference.
void ensure_read(const Options& options);

/// A line for each knob of the workload's shape that changes nothing for the chosen variants:
/// --lanes and --order where none deals its chunks to lanes. That is no mistake: a user may run
/// one variant after the other with the same shape.
std::vector<std::string> unread_knobs(const Options& options);

}  // namespace trilane
