// Parts of the pages, each in a file of its own.
#pragma once

#include <string>
#include <vector>

#include "common/base/text/page.hpp"
#include "common/base/text/words.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

/// The cells of a table.
using TableRows = std::vector<std::vector<std::string>>;

/// Returns the list below the table of times: messages, processes, full queues and the like.
Page notes(const Comparison& comparison, bool simulated);

/// Returns true if the variant's time to submit includes waiting. For an application's candidates
/// it does not: their waits are not counted.
bool waits_in_submit(const Comparison& comparison, const Measurement& m);

/// Returns true for a custom shape without options for its kernels: they do the least work.
bool does_least_work(const Comparison& comparison);

/// Returns "3.1 [2.9, never]", "first 12 [10, always]", "at once", "never"; "at once [0, 40]" if
/// the interval says more.
std::string pays_text(const BreakEven& break_even);

}  // namespace trilane
