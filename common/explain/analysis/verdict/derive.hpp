// Derives everything that follows from measurements.
#pragma once

#include <string>

#include "common/model/results/results.hpp"

namespace trilane {

/// Derives what a comparison's samples, limit and prices imply, each part from those before it:
/// summaries and ratios, break-even, regime, bounds, winners, verdict and advice. A variant with an
/// invalid time fails. Must be called after samples were changed or merged; a second call changes
/// nothing. `simulated` names the profile that all times come from; empty when they were measured.
void derive(Comparison& comparison, const std::string& simulated);

/// Derives what follows from all comparisons together, after each was derived: the answers and what
/// makes them doubtful.
void derive_answers(Results& results);

/// Derives all of it, for results that were read from a file, which may be of a version that lacks
/// something.
void derive(Results& results);

/// Sets `regime` and `regime_held` of the comparison by its figures. Does nothing without a limit.
/// Without the reference's times the launch preset is not judged, and `regime` says so.
void judge_regime(Comparison& comparison);

}  // namespace trilane
