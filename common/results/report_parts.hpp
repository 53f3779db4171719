// Parts of the table that stand in files of their own.
#pragma once

#include <string>

#include "common/results/results.hpp"

namespace trilane {

/// What the variants cost besides their passes: a table under a line that explains it, and the
/// phases of set-ups, break-even and memory below; empty when nothing was priced.
std::string price_section(const Comparison& comparison);

/// "3.1", "310": a number of passes, at most six characters.
std::string passes_text(double passes);

/// "3.1 [2.9, never]", "at once", "never", "first 12 [10, 15]".
std::string pays_text(const BreakEven& break_even);

}  // namespace trilane
