// Parts of the table, each in a file of its own.
#pragma once

#include <string>

#include "common/results/results.hpp"
#include "common/text/words.hpp"

namespace trilane {

/// The list below the table of times: messages, limit, regime and the like.
std::string notes(const Comparison& comparison, bool simulated);

/// The bound and efficiency of each variant: a paragraph of explanation, a table, and below it the
/// best number of chunks and the costs of copies and calls. Needs find_bounds(); empty without a
/// limit.
std::string bounds_section(const Comparison& comparison);

/// What the variants cost besides their passes: a paragraph of explanation, a table, and below it
/// phases, pools and proofs of break-even. Empty if nothing was priced.
std::string price_section(const Comparison& comparison);

/// "3.1 [2.9, never]", "first 12 [10, always]", "at once", "never"; "at once [0, 40]" if the
/// interval says more.
std::string pays_text(const BreakEven& break_even);

}  // namespace trilane
