// Checks the results of the variants of a comparison, and says beforehand if that takes long.
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

  /// Checks everybody that takes part, so many times, before anything is timed. Announces how long
  /// that takes as soon as the first variant shows it.
  void before(int times, std::uint32_t batch);

  /// Checks everybody that takes part: a single pass on new input, because in a batch a pass that
  /// does nothing would go unnoticed behind an earlier one, then a batch of more than one. Who is
  /// wrong fails.
  void all(std::uint32_t batch);

  /// The check after everything else, announced.
  void again(std::uint32_t batch);

  /// Checks this one as all() does, on the input that is there.
  void one(std::size_t variant, std::uint32_t batch);

  /// Compares what the runtime reports about this one with its plan. If they differ it fails.
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
