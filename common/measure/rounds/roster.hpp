// The variants that still take part in a comparison, and why the others do not.
#pragma once

#include <cstddef>
#include <exception>
#include <string>

#include "common/base/console/interrupt.hpp"
#include "common/measure/rounds/bench.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

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

  /// Sets its status from the exception: failed, out of memory, or not supported.
  void fail(std::size_t variant, const std::exception_ptr& thrown);

  /// Marks all variants that still take part as not run.
  void dismiss(const std::string& message);

 private:
  void lose(std::size_t culprit);

  Bench& bench_;
  Comparison& comparison_;
};

}  // namespace trilane
