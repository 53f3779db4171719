// Says what the candidates of a replay mean for the recorded application.
#pragma once

#include <vector>

#include "common/explain/analysis/verdict/verdict.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

/// Returns the choice for an application: the fastest candidate that is a gain over the same calls
/// and over the application itself (promise.hpp), or the same calls. Adds the share of the
/// application's own host code, what the bounds would allow, and the modes of times that have
/// several. If only the replay gains, says so and why. Needs winners_of().
Choice choose_candidate(const Comparison& comparison);

/// Returns an answer for each candidate except the reference: "Graph?", "Pinned?".
std::vector<Answer> candidate_answers(const Comparison& comparison);

}  // namespace trilane
