// Finds what host functions cost the streams that they run in.
#pragma once

#include "common/application/diagnosis/iteration_schedule.hpp"

namespace trilane {

/// The time in which only host functions keep an operation from starting.
struct HeldStart {
  std::vector<std::size_t> functions;  ///< indices of their calls
  OperationRun next;                   ///< the operation, in repetition 0
  std::optional<OperationRun> before;  ///< the run before the functions that ends last
  /// The operations before it are done, and it and the functions are issued.
  double from_us = 0;

  double us() const { return next.start_us - from_us; }
};

/// Returns the operations that start late behind host functions, by start. Needs device times.
std::vector<HeldStart> starts_held_by_host_functions(const IterationSchedule& schedule);

/// Returns the one that holds up the operation of a call; null: none does.
inline const HeldStart* held_start(const std::vector<HeldStart>& all, std::size_t call) {
  const auto found = std::ranges::find(all, call, [](const auto& one) { return one.next.call; });
  return found == all.end() ? nullptr : &*found;
}

/// Returns for each call the time that its host function holds streams up, beyond the usual gap
/// between two operations of those engines; 0 for other calls. Successive functions share theirs.
std::vector<double> host_function_costs_us(const IterationSchedule& schedule);

}  // namespace trilane
