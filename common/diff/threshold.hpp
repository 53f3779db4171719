// Whether two runs pass --fail-on-slower.
#pragma once

#include <string>

#include "common/diff/change.hpp"

namespace trilane {

/// Whether --fail-on-slower fails with the variant: it is LOST, or SLOWER by more than `beyond` of
/// its old time, with the whole interval. Exactly `beyond` passes, whatever rounding makes of it.
bool worse(const Change& change, double beyond);

/// Whether it does with any of them.
bool worse(const RunChange& runs, double beyond);

/// "--fail-on-slower=5% fails: graph on launch takes 10.2% longer than before (at least 9.81%)...",
/// or that it passes, with the limit; for a page with `fail_beyond`.
std::string gate_verdict(const RunChange& runs);

}  // namespace trilane
