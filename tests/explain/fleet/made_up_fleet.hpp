// Made-up machines of a fleet, and their runs.
#pragma once

#include "common/explain/fleet/fleet.hpp"
#include "tests/explain/report/made_up_run.hpp"

namespace trilane {

/// The slow-down of one machine, as shares of its times.
struct Slowed {
  double streams = 0, copy_in = 0;
};

inline RunFile run_of(const std::string& path, Draw& draw, const Slowed& slowed = {}) {
  const double own = std::exp(0.003 * draw.normal());
  Comparison comparison = comparison_of(
      {{"streams", 100 * own * (1 + slowed.streams), 6, 0.004}, {"graph", 80 * own, 6, 0.004}},
      draw);
  comparison.reference = "streams";
  comparison.limit.emplace();
  comparison.limit->copy_in_us = 3 * std::exp(0.002 * draw.normal()) * (1 + slowed.copy_in);
  comparison.limit->calls_us = {{"cudaLaunchKernel", 4 * std::exp(0.01 * draw.normal())}};
  return run_with(path, {comparison});
}

using Runs = std::vector<FleetRun>;

inline Runs machines(std::size_t count, std::uint64_t seed,
                     const std::map<std::size_t, Slowed>& odd = {}) {
  Draw draw(seed);
  Runs runs;
  for (std::size_t i = 0; i < count; ++i) {
    const auto found = odd.find(i);
    const std::string path = "gpu" + std::to_string(i);
    const Slowed slowed = found == odd.end() ? Slowed{} : found->second;
    runs.push_back(fleet_runs(path, run_of(path, draw, slowed).results).at(0));
  }
  return runs;
}

}  // namespace trilane
