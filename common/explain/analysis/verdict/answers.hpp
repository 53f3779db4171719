// Answers common questions about all workloads: graph, pool, engines?
#pragma once

#include "common/model/results/results.hpp"

namespace trilane {

/// Returns the timed variant with this change, or nullptr. With several policies the first.
const Measurement* find_change(const Comparison& comparison, Change change);

/// The effect of a change on one workload.
enum class Effect { gains, nothing, loses, unclear };

/// Returns the effect by the ratio of wall times: `nothing` is a tie or less than 1%; `unclear`
/// means no ratio, or one from too few rounds.
Effect effect_of(const std::optional<Ratio>& ratio);

/// Returns the answers, a sentence or two each, relative to multi-stream code.
/// - A question whose variant was not timed is left out.
/// - With several workloads each change names `most` of them, those with the largest effects.
/// - "Memset?" needs a traced run, "Settings?" several host memories or ways of waiting.
/// - An application has a question for each candidate, see candidate_answers().
std::vector<Answer> answers_to(std::span<const Comparison> comparisons, std::size_t most = 3);

/// Returns an answer for each candidate of a replay except the reference: "Graph?", "Pinned?".
std::vector<Answer> candidate_answers(const Comparison& comparison);

/// Returns a label for a comma-separated list: "launch/pageable".
std::string in_list(std::string label);

/// Returns "5.2x as long on balanced, 2.4x on transfer and 4 more": costs with the names of their
/// workloads, the highest first, and `most` of them.
std::string each_cost(std::vector<std::pair<double, std::string>> costs, std::size_t most);

/// Says for each setting of workloads that ran with several: how long the reference (or the fastest
/// variant) takes with it, compared with the first. Empty without one.
std::string settings_answer(std::span<const Comparison> comparisons, std::size_t most);

}  // namespace trilane
