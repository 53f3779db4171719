// Options that no chosen variant looks at.
#pragma once

#include <string>
#include <vector>

#include "common/commands/options/options.hpp"

namespace trilane {

/// Throws UsageError, naming the option and the way out, where what it asks for is about variants
/// that were not chosen: --pool without one whose memory is taken by it, --prove-break-even without
/// one besides the reference.
void ensure_read(const Options& options);

/// A line for each knob of the workload's shape that changes nothing for the chosen variants:
/// --lanes and --order where none deals its chunks to lanes. They are no mistake: the same shape
/// may be asked of one variant after the other.
std::vector<std::string> unread_knobs(const Options& options);

}  // namespace trilane
