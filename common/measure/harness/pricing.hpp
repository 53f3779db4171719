// Pricing: measures the costs of variants besides their passes, by repeated set-ups in rounds. Also
// tests predicted break-evens by real sequences of passes from set-up on, and predicts comparisons.
#pragma once

#include "common/measure/gpu/runtime/phase.hpp"
#include "common/measure/rounds/harness.hpp"

namespace trilane {

/// A bench that also shows what set-ups consist of.
class PricedBench : public LocalBench {
 public:
  /// pass(), but logs the phases, which takes some time itself.
  virtual double pass_by_phase(std::size_t variant) = 0;
  /// Returns the phases of the latest set-up or pass_by_phase(). They may not add up to all of its
  /// time.
  virtual const std::vector<PhaseTime>& phases() = 0;
  /// Returns the free device memory; other processes on the device use some of it too.
  virtual std::uint64_t free_bytes() = 0;
};

/// Runs `action` and tears the variant down, even if `action` throws. Returns the time of the
/// tear-down in microseconds.
template <typename Action>
double then_tear_down(Bench& bench, std::size_t variant, Action action) {
  try {
    action();
  } catch (...) {
    bench.lost();  // waits for queued work that uses the variant's resources
    try {
      bench.tear_down(variant);
    } catch (const std::exception&) {
      // Keeps the first exception.
    }
    throw;
  }
  return bench.tear_down(variant);
}

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
/// to the end of its interval) and is torn down. The host waits for every pass. A course is the
/// cumulative time of set-up and passes, without the harness's own work.
///
/// The same rounds also price the variants again, in one shuffled order, and replace price and
/// break-even, because prediction and proof must share their conditions. The time of a set-up
/// depends on earlier work of the process: on an H200 a graph took 1.2 ms after 8 passes and 1.5 ms
/// after 32. It drifts by as much within a minute. Failures are handled as in price_variants(). An
/// interrupt discards all of it.
void prove_break_even(PricedBench& bench, Comparison& comparison, const ProofSettings& settings,
                      const HarnessListener& listener);

/// Fills a comparison as run_comparison() and price_variants() do. Each variant is set up once,
/// alone on the device, for two passes and one sample: in virtual time later ones, and later
/// set-ups, would take just as long. Checks neither data, order nor evidence.
/// `comparison` must meet the requirements of run_comparison().
void predict_comparison(PricedBench& bench, Comparison& comparison,
                        const HarnessListener& listener);

/// Returns by how much a prediction for such a variant may be off, from the profile of the
/// simulated device; nothing on a GPU.
std::optional<Prediction> prediction_of(const Model& model);

/// Throws NotPossible if the device is simulated and its time model does not cover this work.
void ensure_modelled(const Workload& workload, Wait wait);

}  // namespace trilane
