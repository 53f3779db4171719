#include "common/harness/rounds/pace.hpp"

#include <algorithm>
#include <numeric>

namespace trilane {

namespace {

constexpr std::uint32_t fewest_with_a_median = 3;

}  // namespace

Pace pace_of(std::span<const double> passes_us, const WantedPace& wanted) {
  const double shortest = passes_us.empty() ? 0 : std::ranges::min(passes_us);
  const double all_us = std::accumulate(passes_us.begin(), passes_us.end(), 0.0);
  const bool any_short = shortest < long_pass_us;
  Pace pace{.turn = wanted.turn, .batch = wanted.batch};
  const auto timed = [&] {
    const double runs = pace.clocks == Clocks::apart ? 2 : 1;
    return runs * pace.turn * pace.batch;
  };
  const auto too_long = [&] {
    const double passes = timed() + (pace.turn_shows_first && any_short ? 1 : 0);
    return wanted.rounds * passes * all_us > wanted.seconds * us_per_second;
  };
  if (shortest >= hides_events_us) {
    pace = {.clocks = Clocks::together,
            .turn_shows_first = false,
            .turn = fewest_with_a_median,
            .batch = wanted.batch};
    if (too_long()) {
      pace.turn = 1;
      pace.turn_shows_first = true;
    }
  }
  while (pace.turn > 1 && too_long()) --pace.turn;
  while (pace.batch > 1 && too_long()) --pace.batch;
  pace.round_us = timed() * all_us;
  return pace;
}

}  // namespace trilane
