// The answer on one screen, for a terminal of 100 columns.
#pragma once

#include <string>

#include "common/base/text/page.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

inline constexpr std::size_t screen_lines = 40;         ///< with several workloads
inline constexpr std::size_t screen_lines_of_one = 26;  ///< with one

/// The answers of a finished run, as text at most that many lines. First what failed; then the
/// machine, how long it took and whether all results were right; a row for each workload, or for
/// each variant that matters with one workload; then what to use, an answer each for graph, pool
/// and engines, and what makes the figures doubtful. What does not fit is left out from the end of
/// the rows and said to be. `more` tells how to see the rest; it is left out if it is empty. Needs
/// derive().
Page screen_page(const Results& results, const std::string& more);

/// The answers alone: which variant to use on each workload, then graph, pool and engines.
Page answers_page(const Results& results);

}  // namespace trilane
