// The variants that still take part in a comparison, why the others do not, and the checks of their
// results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>

#include "common/base/console/interrupt.hpp"
#include "common/measure/rounds/bench.hpp"
#include "common/measure/rounds/harness.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

/// Returns the status and message for an exception of a variant: failed, out of memory, or not
/// supported.
std::pair<Status, std::string> failure_of(const std::exception_ptr& thrown);

/// The variants of a comparison, by index. A variant takes part while its status is ok.
class Roster {
 public:
  Roster(Bench& bench, Comparison& comparison) : bench_(bench), comparison_(comparison) {}

  Measurement& operator[](std::size_t variant) { return comparison_.measurements[variant]; }
  bool takes_part(std::size_t variant) const {
    return comparison_.measurements[variant].status == Status::ok;
  }
  std::size_t left() const;  ///< number of participants

  /// Runs `action` for every variant that takes part.
  template <typename Action>
  void each(Action action) {
    for (std::size_t v = 0; v < comparison_.measurements.size(); ++v) attempt(v, action);
  }

  /// Runs `action` if the variant takes part. If it throws, the variant fails; after a sticky error
  /// all others are dismissed.
  template <typename Action>
  void attempt(std::size_t variant, Action action) {
    if (!takes_part(variant)) return;
    try {
      action(variant);
    } catch (const Interrupted&) {
      // Interrupted, not failed: the caller also sees the signal.
    } catch (...) {
      fail(variant, std::current_exception());
      if (bench_.lost()) lose(variant);
    }
  }

  /// Marks the variant as failed.
  void fail(std::size_t variant, const std::string& message);

  /// Sets its status and message by failure_of().
  void fail(std::size_t variant, const std::exception_ptr& thrown);

  /// Marks all variants that still take part as not run.
  void dismiss(const std::string& message);

 private:
  void lose(std::size_t culprit);

  Bench& bench_;
  Comparison& comparison_;
};

/// Checks the results of the variants, and announces long checks.
class Checks {
 public:
  Checks(Bench& bench, Roster& roster, const HarnessListener& listener)
      : bench_(bench), roster_(roster), listener_(listener) {}

  /// Checks every participant `times` times before anything is timed. Announces how long that takes
  /// as soon as the first variant shows it.
  void before(int times, std::uint32_t batch);

  /// Checks every participant. A single pass on new input comes first, because in a batch a pass
  /// that does nothing would go unnoticed behind an earlier one. Then comes a batch of more than
  /// one. Variants with wrong results fail.
  void all(std::uint32_t batch);

  /// Makes the announced check after everything else.
  void again(std::uint32_t batch);

  /// Checks one variant as all() does, on the current input.
  void one(std::size_t variant, std::uint32_t batch);

  /// Compares what the runtime reports about the variant with its plan. It fails if they differ.
  void plan(std::size_t variant);

 private:
  void check(std::size_t variant, std::uint32_t batch);
  double seconds() const;

  Bench& bench_;
  Roster& roster_;
  const HarnessListener& listener_;
  int times_ = 1;
  double one_us_ = 0;  // of the latest variant
};

}  // namespace trilane
