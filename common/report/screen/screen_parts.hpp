// The tables and sentences of the screen.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "common/results/results.hpp"

namespace trilane {

/// A row for each workload: the reference's time, graph, pool, the best that keeps the stages, the
/// best rewrite, and the limit.
std::string workload_rows(std::span<const Comparison> comparisons);

/// A row for each variant that matters: all of them if there are at most `few_variants`; otherwise
/// the reference, those of the questions, and the winners of the tiers.
std::string variant_rows(const Comparison& comparison);
inline constexpr std::size_t few_variants = 8;

/// Which variant to use, and what a rewrite would gain, in a sentence or two.
std::string advice_line(const Comparison& comparison);

/// The first names, and how many more there are.
std::string shortened(const std::vector<std::string>& names);

}  // namespace trilane
