// What a person reads of two runs.
#pragma once

#include <string>

#include "common/diff/change.hpp"

namespace trilane {

/// What the runs were and what differed around them, how to read the verdicts, a table per workload
/// and the verdicts in words, with that of --fail-on-slower where it was given; at most 80 columns,
/// but for variants with longer names.
std::string page(const RunChange& runs);

}  // namespace trilane
