// Tests predicted break-evens: runs real sequences of passes from set-up on and finds their
// crossing.
#pragma once

#include <cstdint>

#include "common/measure/harness/pricing/pricing.hpp"
#include "common/measure/rounds/harness.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

struct ProofSettings {
  /// The limit for a sequence of a variant and one of the reference; longer proofs are skipped.
  double sequence_seconds = 1;
  /// Sequences of each variant: as many as fit into `seconds`, in this range. Many are needed,
  /// because the time of a steady pass differs between set-ups.
  std::uint32_t fewest = 40, most = 100;
  double seconds = 20;
  PricingSettings pricing{};  ///< the settings of the first pricing
};

/// Fills `crossing` of every break-even at a finite number of passes. In every round the reference
/// and these variants take turns. Each is set up, runs twice the predicted number of passes (or up
/// to the end of its interval), waiting for each, and is torn down. A course sums the times of
/// set-up and passes, without the harness's own work between them.
///
/// The same rounds also price the variants again, in one shuffled order, and replace price and
/// break-even, because prediction and proof must share their conditions. The time of a set-up
/// depends on earlier work of the process: on an H200 a graph took 1.2 ms after 8 passes and 1.5 ms
/// after 32. It drifts as much within a minute. Failures are handled as in price_variants(). An
/// interrupt discards all of it.
void prove_break_even(PricedBench& bench, Comparison& comparison, const ProofSettings& settings,
                      const HarnessListener& listener);

}  // namespace trilane
