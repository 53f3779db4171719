// Fake results files for tests of their differences.
#pragma once

#include "common/explain/report/diff_runs.hpp"
#include "tests/explain/statistics/noise.hpp"
#include "tests/model/made_up.hpp"

namespace trilane {

/// The times of a fake variant, and its number of processes.
struct MadeUp {
  std::string variant;
  double wall_us = 100;
  std::uint32_t processes = 1;
  double between = 0.01;  ///< how far the processes' speeds spread
};

inline Measurement measured(const MadeUp& made, Draw& draw) {
  Measurement m;
  m.variant = made.variant;
  m.status = Status::ok;
  for (std::uint32_t process = 0; process < made.processes; ++process) {
    const double own = made.wall_us * std::exp(made.between * draw.normal());
    for (std::uint32_t round = 0; round < 20; ++round) {
      const double us = own * std::exp(0.002 * draw.normal());
      m.samples.push_back({us / 2, us, us, round, 0, process});
    }
  }
  return m;
}

/// Returns one comparison, on the preset launch.
inline Comparison comparison_of(const std::vector<MadeUp>& variants, Draw& draw) {
  Comparison comparison;
  comparison.workload = presets().front();
  comparison.rounds = 20;
  for (const MadeUp& made : variants) {
    comparison.processes = made.processes;
    comparison.measurements.push_back(measured(made, draw));
  }
  return comparison;
}

inline RunFile run_with(const std::string& path, std::vector<Comparison> comparisons) {
  RunFile run{.path = path, .results = {}};
  run.results.context.started = "2001-02-03T04:05:06Z";
  run.results.context.git_revision = "0123456789ab";
  run.results.context.gpu = {{"name", "NVIDIA Example 100"}, {"driver_version", "999.1"}};
  run.results.comparisons = std::move(comparisons);
  return run;
}

}  // namespace trilane
