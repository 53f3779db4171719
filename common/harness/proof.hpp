// The proof of break-even: real sequences of passes, from the set-up on, and where they cross.
#pragma once

#include <cstdint>

#include "common/harness/bench.hpp"
#include "common/harness/harness.hpp"
#include "common/results/results.hpp"

namespace trilane {

struct ProofSettings {
  double seconds = 1;            ///< of passes in a sequence at most; what takes longer is left out
  std::uint32_t sequences = 40;  ///< of each variant
};

/// Fills `crossing` of every break-even that foretells one. The reference and the variants are set
/// up one at a time, run twice as many passes as the variants need by the foretold figure, or as
/// its interval reaches, each waited for, and are torn down; the rounds are repeated, in shuffled
/// order. A course is the sum of the times of set-up and passes, without what the harness does
/// between them. Failures as in price_variants(); an interrupted proof is none.
void prove_break_even(Bench& bench, Comparison& comparison, const ProofSettings& settings,
                      const HarnessListener& listener);

}  // namespace trilane
