// Estimates untraced latencies from an iteration's traced times: from a call to its operation, from
// one operation to the next, and from an operation to the waiting host.
// Finds what host functions cost the streams that they run in.
#pragma once

#include "common/application/diagnosis/iteration_schedule.hpp"

namespace trilane {

/// The time in which only host functions keep an operation from starting.
struct HeldStart {
  std::vector<std::size_t> functions{};  ///< indices of their calls
  OperationRun next;                     ///< the operation, in repetition 0
  std::optional<OperationRun> before{};  ///< the run before the functions that ends last
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

class TracedCosts {
 public:
  /// `schedule` holds the traced times.
  explicit TracedCosts(const IterationSchedule& schedule);

  /// Returns the time from a call to the start of its operation on an idle device.
  double launch_us(std::size_t call) const;

  /// Returns the time from the end of an operation to the start of its successor, by their engines.
  /// Tracing holds a kernel's stream up, so the application's gaps differ from the traced ones.
  /// `share`, 0 to 1, selects a place in the range of possible gaps, a point on one engine.
  double gap_us(RecordedEngine before, RecordedEngine after, double share) const;

  /// Returns the time from the end of what a call waits for to the call's return.
  double return_us(std::size_t call) const { return returns_us_[call]; }

  /// Returns how long a call's host function keeps operations from starting; 0 for other calls.
  double hold_us(std::size_t call) const { return holds_us_[call]; }

  /// Returns the operation, by place in two repetitions, that held this one up only by its work.
  std::optional<std::size_t> held_up_by(std::size_t call) const { return held_up_by_[call]; }

  /// Returns true if an engine ran two operations at once.
  bool overlaps(RecordedEngine engine) const { return overlapping_.contains(engine); }

 private:
  using Engines = std::pair<RecordedEngine, RecordedEngine>;
  using Launch = std::pair<CallKind, bool>;  // and whether it copies pageable memory

  Launch launch_of(std::size_t call) const {
    return {recording_.calls[call].kind, is_pageable(recording_.calls[call], recording_)};
  }
  void time_host_functions();
  void time_launches();
  void time_gaps();
  void time_waits();
  void watch_engines();
  std::optional<std::size_t> holder_of(const OperationRun& run) const;
  std::optional<double> awaited_us(std::size_t call) const;

  const ApplicationRecording& recording_;
  const IterationSchedule& schedule_;
  std::map<Launch, double> launches_us_;
  std::map<Engines, double> gaps_us_;  // the least of each pair
  std::vector<double> returns_us_;     // by call
  std::vector<double> holds_us_;       // by call
  std::set<std::size_t> held_;         // operations behind host functions
  std::vector<std::optional<std::size_t>> held_up_by_;
  std::set<RecordedEngine> overlapping_;
};

}  // namespace trilane
