// Rounds in which variants are set up, run and torn down one at a time.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <initializer_list>

#include "common/measure/rounds/bench.hpp"
#include "common/measure/rounds/harness.hpp"
#include "common/model/results/results.hpp"
#include "common/model/workload/random.hpp"

namespace trilane {

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

/// Gives turns to every ok variant of a measured comparison. A variant that throws fails and gets
/// no more turns; after a sticky error no variant gets any.
class Sequences {
 public:
  Sequences(Bench& bench, Comparison& comparison, const HarnessListener& listener)
      : bench_(bench), comparison_(comparison), listener_(listener), random_(comparison.seed) {}

  using Action = std::function<void(std::size_t)>;

  /// As many rounds as fit into the time, in this range.
  struct Rounds {
    double seconds;
    std::uint32_t fewest, most;
  };

  /// Runs, in every round, each of `actions` once for each variant, all in a newly shuffled order.
  /// Returns the number of rounds.
  std::uint32_t run(const Rounds& rounds, std::initializer_list<Action> actions);

  /// Returns true after an interrupt, or when the device is lost.
  bool ended() const { return comparison_.stopped == "lost" || listener_.interrupted(); }

 private:
  void each(std::initializer_list<Action> actions);

  Bench& bench_;
  Comparison& comparison_;
  const HarnessListener& listener_;
  Random random_;
};

}  // namespace trilane
