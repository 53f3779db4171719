// Computes times of calls and between them, without device times and without the cost of listening.
#pragma once

#include <cstdint>

#include "common/application/finding/calls/call_store.hpp"
#include "common/application/finding/core/digest.hpp"
#include "common/application/iteration/records/recorded_call.hpp"

namespace trilane {

/// Medians over the untraced repetitions. Callbacks of the runtime's functions lengthen an
/// iteration. So the times before and in a call come from repetitions without them, and the
/// application's share from the others.
class OwnTimes {
 public:
  /// Both must outlive this object.
  OwnTimes(const CallStore& store, const Repetitions& repetitions);

  /// Sets RecordedCall::own_us, call_us and runtime_us of the iteration's `i`-th call, as far as
  /// they are known.
  void put(std::uint64_t i, RecordedCall& recorded) const;

 private:
  double gap_us(const Repetition& repetition, std::uint64_t i) const;
  double length_us(const ObservedCall& call) const;
  bool is_all_outside(std::uint64_t number) const;
  double outside_us(std::uint64_t number) const;
  double least_outside_us() const;

  const CallStore& store_;
  const Repetitions& repetitions_;
  const ListeningCosts costs_;
  /// CUPTI's cost between two functions of the runtime.
  const double runtime_cost_us_;
};

}  // namespace trilane
