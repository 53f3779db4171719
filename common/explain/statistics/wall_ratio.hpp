// The ratio of two variants of one run, measured or predicted.
#pragma once

#include <optional>

#include "common/model/results/results.hpp"

namespace trilane {

/// The ratio of wall times, `m` over `base`; nothing if they share no round. Measured times
/// give variant_ratio(). Predicted times give the ratio of their means
/// within the larger error of both, and undecided() if one of the errors is not known.
std::optional<Ratio> wall_ratio(const Measurement& m, const Measurement& base);

/// The range from `estimate / factor` to `estimate * factor` of a predicted ratio.
Ratio within_error(double estimate, double factor);

}  // namespace trilane
