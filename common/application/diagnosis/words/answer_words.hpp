// Sentences of a diagnosis.
#pragma once

#include <string>

#include "common/application/iteration/records/diagnosis.hpp"

namespace trilane {

/// What the host or the device does meanwhile: "the host issues calls one at a time".
std::string meaning_of(TimeUse use);

/// How long an iteration takes, which share of it the GPU is idle, and why.
std::string answer(const Diagnosis& diagnosis);

/// "It launches 1 graph of 3 kernels and 2 copies."
std::string in_words(const GraphsLaunched& launched);

/// The most that a graph could gain.
std::string graph_answer(const Diagnosis& diagnosis);

/// Whether the times are those of traced iterations, and how much longer these take.
std::string origin_of_times(const Diagnosis& diagnosis, const Reconstruction& reconstruction);

}  // namespace trilane
