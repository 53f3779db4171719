// Fits the answer on one screen, for a terminal of 100 columns.
#pragma once

#include <string>

#include "common/base/text/page.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

inline constexpr std::size_t screen_lines = 40;         ///< with several workloads
inline constexpr std::size_t screen_lines_of_one = 26;  ///< with one

/// Returns the answers of a finished run, as text of at most that many lines. Needs derive(). In
/// order:
/// - what failed;
/// - the machine, how long it took and whether all results were right;
/// - a row for each workload or, with one workload, for each variant that matters;
/// - what to use, an answer each for graph, pool and engines, and what makes the figures doubtful.
/// Rows that do not fit are dropped from the end, and a line says so. `more` tells how to see the
/// rest; it is left out if empty.
Page screen_page(const Results& results, const std::string& more);

/// Returns the answers alone: which variant to use on each workload, then graph, pool and engines.
Page answers_page(const Results& results);

}  // namespace trilane
