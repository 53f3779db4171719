// Answers to the questions that people ask of all workloads: graph, pool, engines?
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/model/results/results.hpp"

namespace trilane {

/// The timed variant with this change, or nullptr. With several pool policies the first one.
const Measurement* find_change(const Comparison& comparison, Change change);

/// What the change does on one workload.
enum class Effect { gains, nothing, loses, unclear };

/// By the ratio of wall times: `nothing` is a tie or less than 1%; `unclear` if there is no ratio
/// or it rests on too few rounds.
Effect effect_of(const std::optional<Ratio>& ratio);

/// The answers, a sentence or two each, over multi-stream code, whatever the reference is. A
/// question whose variant was not timed is left out. With one workload the answers do not name it;
/// otherwise each change names `most` of them, those with the largest effects. "Memset?" is
/// answered of a traced run, and "Settings?" where a workload ran with several host memories or
/// ways of waiting. An application has a question for each candidate, candidates.hpp.
std::vector<Answer> answers_to(std::span<const Comparison> comparisons, std::size_t most = 3);

}  // namespace trilane
