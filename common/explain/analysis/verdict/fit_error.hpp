// How far predictions are from measured figures.
#pragma once

#include <span>

#include "common/device/profile/model_error.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

/// The error of a prediction for a variant of this tier.
Prediction prediction_with(const ModelError& error, Tier tier);

/// The error factors, from comparisons that were measured and the same ones predicted: entries
/// belong together by their position, variants by their name. Variants without times in one of both
/// are left out. `measured` and `predicted` of the result stay empty. Throws std::invalid_argument
/// if the numbers of comparisons differ.
ModelError fitted_error(std::span<const Comparison> measured,
                        std::span<const Comparison> predicted);

}  // namespace trilane
