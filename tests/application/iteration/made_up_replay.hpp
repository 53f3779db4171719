// A fake replay for tests of the words on one.
#pragma once

#include "common/explain/analysis/verdict/derive.hpp"
#include "tests/model/made_up.hpp"

namespace trilane {

/// Returns a candidate that takes this time, alternately a little more or less.
inline Measurement candidate(const std::string& name, double wall_us,
                             Chaining chaining = Chaining::recorded) {
  Measurement m = made_up(name, wall_us / 2, wall_us);
  m.plan.model = {Issuer::host, chaining, ScratchSource::recording, Mover::engines_per_chunk};
  m.plan.blocks = true;
  m.checked_passes = 1;
  return m;
}

/// Returns an application's iteration, with 41 us of its own code, over `calls`.
inline Comparison made_up_replay(std::vector<Measurement> measurements) {
  Comparison comparison = made_up_comparison(std::move(measurements));
  comparison.workload = {};
  comparison.workload.name = "./app --fast";
  comparison.workload.recorded = RecordedCalls{.calls = 9, .kernels = 2, .copies = 3};
  comparison.reference = "calls";
  comparison.host_us = 41;
  derive(comparison, "");
  return comparison;
}

/// Returns the same with the application's own iterations. They take this time in each process,
/// alternately a little more or less.
inline Comparison made_up_replay(std::vector<Measurement> measurements, double application_us,
                                 std::uint32_t processes = 1) {
  Comparison comparison = made_up_replay(std::move(measurements));
  comparison.processes = processes;
  comparison.watched.emplace();
  for (std::uint32_t process = 0; process < processes; ++process) {
    for (int i = 0; i < 40; ++i) {
      comparison.watched->times.push_back({process, application_us * (i % 2 == 0 ? 0.999 : 1.001)});
    }
  }
  derive(comparison, "");
  return comparison;
}

}  // namespace trilane
