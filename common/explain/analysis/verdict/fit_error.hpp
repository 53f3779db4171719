// Computes the error of predictions against measured figures.
#pragma once

#include "common/device/profile/model_error.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

/// Returns the error of a prediction for a variant of this tier.
Prediction prediction_with(const ModelError& error, Tier tier);

/// Returns the error factors from measured comparisons and the same ones predicted: entries are
/// matched by position, variants by name. Variants without times on either side are left out.
/// `measured` and `predicted` of the result stay empty. Throws std::invalid_argument.
ModelError fitted_error(std::span<const Comparison> measured,
                        std::span<const Comparison> predicted);

}  // namespace trilane
