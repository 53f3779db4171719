// What the candidates of a replay say about the application that was recorded.
#pragma once

#include <vector>

#include "common/analysis/verdict/verdict.hpp"
#include "common/results/results.hpp"

namespace trilane {

/// The choice for an application: the fastest candidate that is a gain over the same calls, or the
/// same calls; the share of the application's own host code; and what the bounds would allow. Needs
/// winners_of().
Choice choose_candidate(const Comparison& comparison, Times times);

/// What keeps a bound from being an answer, after "a bound:"; empty if it is none.
std::string why_bound(const Measurement& measurement);

/// An answer for each candidate but the reference: "Graph?", "Pinned?".
std::vector<Answer> candidate_answers(const Comparison& comparison);

}  // namespace trilane
