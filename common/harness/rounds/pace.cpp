#include "common/harness/rounds/pace.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trilane {

namespace {

constexpr double warm_after_us = 20'000;
constexpr double shortest_timed_us = 20'000, longest_timed_us = 60'000;
constexpr std::uint32_t most_samples = 100;
constexpr std::uint32_t runs_of_sample = 2;  // of its passes: without events, and between them

/// How many things that take `each_us` fill the time.
std::uint32_t filling(double us, double each_us) {
  return static_cast<std::uint32_t>(std::ceil(us / std::max(each_us, 1.0)));
}

}  // namespace

TurnPlan Pace::turn_of(double pass_us) const {
  const std::uint32_t untimed = pass_us < long_pass_us ? 1 : 0;
  TurnPlan plan{.untimed = untimed, .samples = turn, .batch = batch};
  if (timed_us == 0 || untimed == 0) return plan;
  plan.untimed = plan.more_untimed = filling(warm_after_us, pass_us);
  plan.samples = std::clamp(filling(timed_us, pass_us * batch * runs_of_sample), turn,
                            std::max(turn, most_samples));
  return plan;
}

Pace pace_of(std::span<const double> passes_us, const WantedPace& wanted) {
  const double shortest = passes_us.empty() ? 0 : std::ranges::min(passes_us);
  const double all_us = std::accumulate(passes_us.begin(), passes_us.end(), 0.0);
  Pace pace{.turn = wanted.turn, .batch = wanted.batch};
  const auto timed = [&] { return 1.0 * runs_of_sample * pace.turn * pace.batch; };
  const auto too_long = [&] {
    const double passes = timed() + (shortest < long_pass_us ? 1 : 0);
    return wanted.rounds * passes * all_us > wanted.seconds * us_per_second;
  };
  while (pace.turn > 1 && too_long()) --pace.turn;
  while (pace.batch > 1 && too_long()) --pace.batch;
  pace.round_us = timed() * all_us;
  if (wanted.apart && !passes_us.empty()) {
    const double turns = static_cast<double>(wanted.rounds) * static_cast<double>(passes_us.size());
    const double turn_us = wanted.seconds * us_per_second / turns;
    pace.timed_us = std::clamp(turn_us - warm_after_us, shortest_timed_us, longest_timed_us);
  }
  return pace;
}

}  // namespace trilane
