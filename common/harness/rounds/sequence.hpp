// Rounds in which variants are set up one at a time, run, and torn down again.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <initializer_list>

#include "common/harness/rounds/bench.hpp"
#include "common/harness/rounds/harness.hpp"
#include "common/results/results.hpp"
#include "common/workload/random.hpp"

namespace trilane {

/// Runs `action`, which may throw, and tears the variant down in any case; returns the time that
/// the tear-down took in microseconds.
template <typename Action>
double then_tear_down(Bench& bench, std::size_t variant, Action action) {
  try {
    action();
  } catch (...) {
    try {
      bench.tear_down(variant);
    } catch (const std::exception&) {
      // What went wrong first is on its way.
    }
    throw;
  }
  return bench.tear_down(variant);
}

/// Gives every ok variant of a comparison that was measured its turns. One that throws is failed
/// and has no more; after a sticky error nobody has.
class Sequences {
 public:
  Sequences(Bench& bench, Comparison& comparison, const HarnessListener& listener)
      : bench_(bench), comparison_(comparison), listener_(listener), random_(comparison.seed) {}

  using Action = std::function<void(std::size_t)>;

  /// Each of `actions` with the index of each of them, all in one order, drawn anew.
  void each(std::initializer_list<Action> actions);

  /// After an interrupt, and where the device is lost.
  bool ended() const { return comparison_.stopped == "lost" || listener_.interrupted(); }

 private:
  void attempt(std::size_t variant, const Action& action);

  Bench& bench_;
  Comparison& comparison_;
  const HarnessListener& listener_;
  Random random_;
};

}  // namespace trilane
