// The report on two runs.
#pragma once

#include <string>

#include "common/diff/change.hpp"

namespace trilane {

/// The two runs, the differences between their environments, how to read the verdicts, a table per
/// workload, and the verdicts in words, with that of --fail-on-slower if given. At most 80 columns
/// unless variants have longer names.
std::string page(const RunChange& runs);

}  // namespace trilane
