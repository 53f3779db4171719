// What the candidates of a replay say about the application that was recorded.
#pragma once

#include <vector>

#include "common/explain/analysis/verdict/verdict.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

/// The choice for an application: the fastest candidate that is a gain over the same calls and over
/// the application itself (promise.hpp), or the same calls; the share of the application's own host
/// code; what the bounds would allow; and the modes of times that have several. Where only the
/// replay gains, it says so and why. Needs winners_of().
Choice choose_candidate(const Comparison& comparison, Times times);

/// An answer for each candidate but the reference: "Graph?", "Pinned?".
std::vector<Answer> candidate_answers(const Comparison& comparison);

}  // namespace trilane
