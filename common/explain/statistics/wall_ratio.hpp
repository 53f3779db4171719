// Computes the ratio of two variants of one run, measured or predicted.
#pragma once

#include <optional>

#include "common/model/results/results.hpp"

namespace trilane {

/// Returns the ratio of wall times, `m` over `base`; nothing if they share no round. Measured times
/// give variant_ratio(). Predicted times give the ratio of their means within the larger of both
/// errors, and undecided() if one of these is unknown.
std::optional<Ratio> wall_ratio(const Measurement& m, const Measurement& base);

/// Returns the range from `estimate / factor` to `estimate * factor` of a predicted ratio.
Ratio within_error(double estimate, double factor);

}  // namespace trilane
