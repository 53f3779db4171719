#include "common/harness/rounds/pace.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trilane {

namespace {

constexpr double warm_after_us = 1'000;
constexpr std::uint32_t most_passes = 16;

/// How many passes fill the time after which a process is warm.
std::uint32_t passes_to_warm(double pass_us) {
  const double passes = std::ceil(warm_after_us / std::max(pass_us, 1.0));
  return static_cast<std::uint32_t>(std::clamp<double>(passes, 1, most_passes));
}

}  // namespace

TurnPlan Pace::turn_of(double pass_us) const {
  const std::uint32_t untimed = pass_us < long_pass_us ? 1 : 0;
  TurnPlan plan{.untimed = untimed, .samples = turn, .batch = batch, .clocks = clocks};
  if (!apart || untimed == 0) return plan;
  plan.untimed = passes_to_warm(pass_us);
  plan.samples = std::max(turn, passes_to_warm(pass_us * batch));
  return plan;
}

Pace pace_of(std::span<const double> passes_us, const WantedPace& wanted) {
  const double shortest = passes_us.empty() ? 0 : std::ranges::min(passes_us);
  const double all_us = std::accumulate(passes_us.begin(), passes_us.end(), 0.0);
  Pace pace{.clocks = shortest < hides_events_us ? Clocks::apart : Clocks::together,
            .turn = wanted.turn,
            .batch = wanted.batch,
            .apart = wanted.apart};
  const auto timed = [&] {
    const double runs = pace.clocks == Clocks::apart ? 2 : 1;
    return runs * pace.turn * pace.batch;
  };
  const auto too_long = [&] {
    const double passes = timed() + (shortest < long_pass_us ? 1 : 0);
    return wanted.rounds * passes * all_us > wanted.seconds * us_per_second;
  };
  while (pace.turn > 1 && too_long()) --pace.turn;
  while (pace.batch > 1 && too_long()) --pace.batch;
  pace.round_us = timed() * all_us;
  return pace;
}

}  // namespace trilane
