// Finds what makes the figures of a run doubtful, and how to settle it.
#pragma once

#include "common/model/results/results.hpp"

namespace trilane {

/// Returns the doubts from grave to light, each as a sentence with the command or option that
/// settles it. Simulated times have doubts of their own: an unknown error of the model, and what is
/// not modelled or not computed.
std::vector<std::string> doubts_about(const Results& results);

}  // namespace trilane
