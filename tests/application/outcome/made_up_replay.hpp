// A replay made up for tests of what is said of one.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/analysis/derive.hpp"
#include "tests/results/made_up.hpp"

namespace trilane {

/// A candidate that takes so long, a little more or less in turn.
inline Measurement candidate(const std::string& name, double wall_us,
                             Chaining chaining = Chaining::recorded) {
  Measurement m = made_up(name, wall_us / 2, wall_us);
  m.plan.model = {Issuer::host, chaining, ScratchSource::application, Mover::engines_per_chunk};
  m.plan.blocks = true;
  m.checked_passes = 1;
  return m;
}

/// An application's iteration, of which its own code takes 41 us, over `calls`.
inline Comparison made_up_replay(std::vector<Measurement> measurements) {
  Comparison comparison = made_up_comparison(std::move(measurements));
  comparison.workload = {};
  comparison.workload.name = "./app --fast";
  comparison.workload.application = Application{.calls = 9, .kernels = 2, .copies = 3};
  comparison.reference = "calls";
  comparison.host_us = 41;
  derive(comparison, "");
  return comparison;
}

}  // namespace trilane
