// The proof of break-even: real sequences of passes, from the set-up on, and where they cross.
#pragma once

#include <cstdint>

#include "common/harness/rounds/bench.hpp"
#include "common/harness/rounds/harness.hpp"
#include "common/harness/rounds/pricing.hpp"
#include "common/results/results.hpp"

namespace trilane {

struct ProofSettings {
  /// Of passes at most in a sequence of a variant and the reference's beside it: a proof that takes
  /// longer is left out.
  double sequence_seconds = 1;
  /// Sequences of each variant: the fewest, and as many as fit into `seconds` up to the most. One
  /// set-up's steady pass is not another's, which where a pass gains little decides.
  std::uint32_t fewest = 40, most = 100;
  double seconds = 20;
  PricingSettings pricing{};  ///< as it was priced before
};

/// Fills `crossing` of every break-even that foretells one. The reference and the variants are set
/// up one at a time, run twice as many passes as the variants need by the foretold figure, or as
/// its interval reaches, each waited for, and are torn down; the rounds are repeated. A course is
/// the sum of the times of set-up and passes, without what the harness does between them.
///
/// In the same rounds, all in one shuffled order, the variants are priced anew, and price and
/// break-even become what follows from that: what a set-up takes depends on what the process did
/// before it (a graph's took 1.2 ms after 8 passes and 1.5 ms after 32 on an H200) and drifts by as
/// much within a minute, and prediction and proof are to stand for the same surroundings. Failures
/// as in price_variants(); an interrupted proof is none, and changes no price.
void prove_break_even(Bench& bench, Comparison& comparison, const ProofSettings& settings,
                      const HarnessListener& listener);

}  // namespace trilane
