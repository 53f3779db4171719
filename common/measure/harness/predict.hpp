// A comparison predicted by the simulated device, in one pass of each variant.
#pragma once

#include "common/measure/harness/pricing.hpp"
#include "common/measure/rounds/harness.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

/// Fills a comparison as run_comparison() and price_variants() do. Each variant is set up once,
/// alone on the device, for a first pass, another pass and one sample. In virtual time later
/// set-ups and passes would take equally long. Checks neither data, order nor evidence.
/// `comparison` must meet the requirements of run_comparison().
void predict_comparison(PricedBench& bench, Comparison& comparison,
                        const HarnessListener& listener);

/// Returns by how much a prediction for such a variant may be off, from the profile of the
/// simulated device; nothing on a GPU.
std::optional<Prediction> prediction_of(const Model& model);

/// Throws NotPossible if the device is simulated and its time model does not cover this work.
void ensure_modelled(const Workload& workload, Wait wait);

}  // namespace trilane
