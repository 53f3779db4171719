// Phrases the answers and the findings of a diagnosis, and lays it out as a page.
#pragma once

#include <string>

#include "common/application/iteration/diagnosis.hpp"
#include "common/base/text/page.hpp"

namespace trilane {

/// Returns the answer first, then causes, the critical path, findings, races, what varies, what
/// cannot be replayed, and what limits these statements.
Page diagnosis_page(const Diagnosis& diagnosis);

/// Returns what the host or the device does meanwhile: "the host issues calls one at a time".
std::string meaning_of(TimeUse use);

/// Says how long an iteration takes, for which share of it the GPU is idle, and why.
std::string answer(const Diagnosis& diagnosis);

/// Returns, for example, "It launches 1 graph of 3 kernels and 2 copies."
std::string in_words(const GraphsLaunched& launched);

/// Says how much a graph could gain at most.
std::string graph_answer(const Diagnosis& diagnosis);

/// Says whether the times are those of traced iterations, and how much longer these take.
std::string origin_of_times(const Diagnosis& diagnosis, const Reconstruction& reconstruction);

/// Returns "cudaMemcpyAsync, 4 times, 260 us: ... (#2, #7). Possible gain: at most 80.0 us."
std::string sentence_on(const CallFinding& finding);

}  // namespace trilane
