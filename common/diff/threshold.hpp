// Whether two runs pass --fail-on-slower.
#pragma once

#include <string>

#include "common/diff/change.hpp"

namespace trilane {

/// Whether the variant fails --fail-on-slower: it is LOST, or its whole interval is SLOWER by more
/// than `beyond` of the old time. Exactly `beyond` passes, rounding errors included.
bool worse(const Change& change, double beyond);

/// Whether any variant fails.
bool worse(const RunChange& runs, double beyond);

/// "--fail-on-slower=5% fails: graph on launch takes 10.2% longer than before (at least 9.81%)...",
/// or that it passes, with the threshold. Needs `fail_beyond`.
std::string threshold_verdict(const RunChange& runs);

}  // namespace trilane
