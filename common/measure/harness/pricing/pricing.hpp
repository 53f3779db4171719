// Pricing: measures the costs of variants besides their passes, by repeated set-ups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "common/measure/harness/pricing/priced_bench.hpp"
#include "common/measure/rounds/harness.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

/// Passes after each set-up: the fewest, doubled up to the most while they fit into the time; one
/// if they are long. The last one counts as steady.
inline constexpr std::size_t fewest_first_passes = 4, most_first_passes = 32;

struct PricingSettings {
  double seconds = 0;  ///< for all variants together; `fewest` set-ups are made in any case
  /// The number of set-ups per variant. With fewer than 6 no interval over them reaches 95%.
  std::uint32_t fewest = 6, most = 15;
  std::size_t fewest_passes = fewest_first_passes, most_passes = most_first_passes;
};

/// Prices variants, one set-up at a time. No variant may be set up between calls.
class Pricing {
 public:
  Pricing(PricedBench& bench, const Comparison& comparison, const PricingSettings& settings);

  /// Sets `variant` up, runs its passes, then `more`, and tears it down.
  void once(
      std::size_t variant, const std::function<void()>& more = [] {});

  /// Returns the number of times the variant was set up.
  std::size_t set_ups(std::size_t variant) const {
    return prices_[variant] ? prices_[variant]->setup_us.size() : 0;
  }

  /// Returns the time in seconds to set each variant up `times` times, estimated from the passes
  /// alone.
  double least_seconds(const Comparison& comparison, std::uint32_t times) const;

  /// Replaces the price of every ok measurement.
  void finish(Comparison& comparison);

 private:
  PricedBench& bench_;
  std::vector<std::optional<Price>> prices_;  // by variant
  std::vector<std::size_t> passes_;           // after each set-up
};

/// Fills `price` of every ok measurement after a comparison was measured; no variant may be set up.
/// Each variant is set up alone, once per round, in an order shuffled by the comparison's seed.
/// Variants dropped by the rounds are set up only the fewest times. A variant that throws fails. A
/// sticky error ends pricing; the prices so far are kept.
void price_variants(PricedBench& bench, Comparison& comparison, const PricingSettings& settings,
                    const HarnessListener& listener);

}  // namespace trilane
