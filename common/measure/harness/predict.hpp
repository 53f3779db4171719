// A comparison predicted by the simulated device, in one pass of each variant.
#pragma once

#include <optional>

#include "common/measure/harness/pricing/priced_bench.hpp"
#include "common/measure/rounds/harness.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

/// Fills a comparison as run_comparison() and price_variants() do, from one set-up of each variant,
/// alone on the device: its first pass, another one, and one sample. In virtual time every later
/// set-up and pass would take as long again. Nothing is checked: neither data nor order nor
/// evidence. `comparison` needs what it needs for run_comparison().
void predict_comparison(PricedBench& bench, Comparison& comparison,
                        const HarnessListener& listener);

/// How far a prediction for such a variant may be off, by the profile of the simulated device;
/// nothing on a GPU.
std::optional<Prediction> prediction_of(const Model& model);

/// Throws NotPossible if the device is simulated and would time the work as if it were other work.
void ensure_modelled(const Workload& workload, Wait wait);

}  // namespace trilane
