// Checks the results of the variants of a comparison, and announces long checks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/measure/rounds/bench.hpp"
#include "common/measure/rounds/harness.hpp"
#include "common/measure/rounds/roster.hpp"

namespace trilane {

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
