// Lays a diagnosis out as a page, its answers first.
#pragma once

#include <string>

#include "common/application/iteration/diagnosis.hpp"
#include "common/base/text/page.hpp"

namespace trilane {

/// Returns the answer first, then causes, the critical path, findings, races, what varies, what
/// cannot be replayed, and what limits these statements.
Page diagnosis_page(const Diagnosis& diagnosis);

/// Says how long an iteration takes, for which share of it the GPU is idle, and why.
std::string answer(const Diagnosis& diagnosis);

/// Says how much a graph could gain at most.
std::string graph_answer(const Diagnosis& diagnosis);

/// Returns "cudaMemcpyAsync, 4 times, 260 us: ... (#2, #7). Possible gain: at most 80.0 us."
std::string sentence_on(const CallFinding& finding);

/// Returns the model's error for the recorded calls, a row for each way, and what limits it.
Page simulated_page(const SimulatedTimes& times);

}  // namespace trilane
