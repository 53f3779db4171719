// Fits the answer on one screen, for a terminal of 100 columns.
#pragma once

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

/// Returns a table with a row for each of the first `most` workloads, and what to say below it: the
/// reference's time, graph, pool, the best that keeps the stages, the best rewrite, and the limit.
/// Columns without an entry are left out.
Page workload_rows(const std::vector<Comparison>& comparisons, std::size_t most);

/// Returns a table with a row for each of the first `most` workloads on each GPU of a run of
/// several: the reference's time alone and with all at work, and the best variants.
Page gpu_rows(const std::vector<Comparison>& comparisons, std::size_t most);

/// Returns a table that compares passes split over several GPUs with those on one: a row for each
/// of the first `most` variants of the only workload, or for the best variant of each.
Page split_rows(const std::vector<Comparison>& comparisons, std::size_t most);

/// Returns the same with a row for each variant, if there are at most `most`. Otherwise returns the
/// first of these: the reference, failed variants, the winners of the tiers and the variants of the
/// questions.
Page variant_rows(const Comparison& comparison, std::size_t most);

/// Returns label_among() for a narrow column.
std::string row_label(const Comparison& comparison, const std::vector<Comparison>& all);

/// Returns the answers alone: which variant to use on each workload, then graph, pool and engines.
Page answers_page(const Results& results);

}  // namespace trilane
