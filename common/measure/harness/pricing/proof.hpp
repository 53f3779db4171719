// Tests predicted break-evens: runs real sequences of passes from the set-up on and finds where
// they cross.
#pragma once

#include <cstdint>

#include "common/measure/harness/pricing/priced_bench.hpp"
#include "common/measure/harness/pricing/pricing.hpp"
#include "common/measure/rounds/harness.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

struct ProofSettings {
  /// The most time for a sequence of a variant and one of the reference; skips longer proofs.
  double sequence_seconds = 1;
  /// Sequences of each variant: as many as fit into `seconds`, in this range. Many are needed,
  /// because the time of a steady pass differs between set-ups.
  std::uint32_t fewest = 40, most = 100;
  double seconds = 20;
  PricingSettings pricing{};  ///< the settings of the first pricing
};

/// Fills `crossing` of every break-even at a finite number of passes. In every round the reference
/// and these variants are set up one at a time, run twice the predicted number of passes (or up to
/// the end of its interval), wait for each pass, and are torn down. A course adds up the times of
/// set-up and passes, without what the harness does in between.
///
/// The same rounds also price the variants again, in one shuffled order, and price and break-even
/// are replaced. Prediction and proof must share their conditions: the time of a set-up depends on
/// what the process did before (on an H200 a graph took 1.2 ms after 8 passes and 1.5 ms after 32)
/// and drifts as much within a minute. Failures are as in price_variants(). An interrupt discards
/// all of it.
void prove_break_even(PricedBench& bench, Comparison& comparison, const ProofSettings& settings,
                      const HarnessListener& listener);

}  // namespace trilane
