// Pricing: what each variant costs besides its passes, from repeated set-ups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "common/harness/rounds/bench.hpp"
#include "common/harness/rounds/harness.hpp"
#include "common/results/results.hpp"

namespace trilane {

struct PricingSettings {
  double seconds = 0;  ///< for all variants together; the fewest set-ups come in any case
  /// Set-ups of each variant. With fewer than 6 no interval over them can hold 95%.
  std::uint32_t fewest = 6, most = 15;
};

/// Passes after each set-up: as many as fit into the time, the fewest, the most, or a doubling of
/// the fewest between them; in the last the variant is taken to be steady.
inline constexpr std::size_t fewest_first_passes = 4, most_first_passes = 32;

/// Prices variants set-up by set-up; no variant may be set up in between.
class Pricing {
 public:
  Pricing(Bench& bench, const Comparison& comparison, const PricingSettings& settings);

  /// One set-up of `variant`, its passes and its tear-down.
  void once(std::size_t variant);

  /// What was measured becomes the price of every ok measurement, in the place of any before.
  void finish(Comparison& comparison);

 private:
  Bench& bench_;
  std::vector<std::optional<Price>> prices_;  // by variant
  std::vector<std::size_t> passes_;           // after each set-up
};

/// Fills `price` of every ok measurement of a comparison that was measured. No variant is set up
/// when it begins, and one at a time from then on, each once per round in an order shuffled from
/// the comparison's seed. A variant that throws fails, and after a sticky error pricing ends:
/// who was priced by then keeps what was measured.
void price_variants(Bench& bench, Comparison& comparison, const PricingSettings& settings,
                    const HarnessListener& listener);

}  // namespace trilane
