// Fake results of loops.
#pragma once

#include "common/measure/loop/results/loop_results.hpp"
#include "tests/framework.hpp"

namespace trilane {

struct LoopContender {
  std::string teller;
  Resubmission resubmission = Resubmission::streams;
  double rate = 1000;  ///< items per second
  double cpu = 1;      ///< processors
};

/// Returns twelve turns with a common drift and a spread of 0.1% that differs between contenders.
inline LoopMeasurement made_up_contender(const LoopContender& one, std::size_t turns = 12) {
  LoopMeasurement m{.teller = one.teller,
                    .resubmission = one.resubmission,
                    .reason = {},
                    .checked = 100 * (turns + 1),
                    .turns = {}};
  for (std::size_t i = 0; i < turns; ++i) {
    const double drift = 1 + 0.01 * static_cast<double>(i);
    const double spread = 0.0005 * static_cast<double>((i * 7 + one.teller.size() * 3) % 5);
    const double wall_us = 100 / one.rate * 1e6 * drift * (1 + spread);
    m.turns.push_back({.items = 100,
                       .wall_us = wall_us,
                       .span_us = wall_us,
                       .busy_us = wall_us,
                       .cpu_us = one.cpu * wall_us,
                       .clock_error_us = 1,
                       .told_us = {4, 5, 6},
                       .restart_us = {7, 8}});
  }
  return m;
}

inline LoopComparison made_up_loop(const std::vector<LoopContender>& contenders,
                                   std::size_t turns = 12) {
  LoopComparison comparison{loop_presets().front(), {}};
  for (const LoopContender& one : contenders)
    comparison.measurements.push_back(made_up_contender(one, turns));
  return comparison;
}

}  // namespace trilane
