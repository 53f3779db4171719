#include "common/measure/rounds/bench.hpp"

#include "common/device/flavour/flavour.hpp"

namespace trilane {
namespace {

/// Runs four chains of additions and multiplications, which keep the core's units busy, so that
/// sharing them with another thread shows.
std::uint64_t work() {
  constexpr int steps = 4000;
  std::uint64_t a = 1, b = 2, c = 3, d = 4;
  for (int i = 0; i < steps; ++i) {
    a = a * 3 + 1;
    b = b * 5 + 1;
    c ^= c << 7;
    d += a ^ b;
    c += d;
    asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));  // no step may be optimised away
  }
  return a + b + c + d;
}

constexpr std::uint32_t runs_of_sample = 2;  // of its passes: without events, and between them

/// Returns the number of actions of `each_us` that fill the time.
std::uint32_t filling(double us, double each_us) {
  return static_cast<std::uint32_t>(std::ceil(us / std::max(each_us, 1.0)));
}

std::uint32_t untimed_passes(double pass_us, double us) {
  return pass_us < long_pass_us ? filling(us, pass_us) : 0;
}

}  // namespace

double host_work_us() {
  constexpr int attempts = 3;  // one may be interrupted
  double shortest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < attempts; ++i) {
    shortest = std::min(shortest, timed_us([] {
                          volatile std::uint64_t result = work();
                          static_cast<void>(result);
                        }));
  }
  return shortest;
}

TurnPlan Pace::turn_of(double pass_us) const {
  return {.untimed = untimed_passes(pass_us, 1), .samples = turn, .batch = batch};
}

TurnPlan turn_alone(double pass_us, std::uint32_t batch, double seconds) {
  constexpr double warm_after_us = 20'000, least_us = 20'000, sample_every_us = 600;
  constexpr std::uint32_t fewest_samples = 2;
  const double timed_us = std::max(seconds * us_per_second - warm_after_us, least_us);
  const std::uint32_t untimed = untimed_passes(pass_us, warm_after_us);
  const double sample_us = std::max(pass_us * batch * runs_of_sample, sample_every_us);
  return {.untimed = untimed,
          .more_untimed = untimed,
          .samples = std::max(filling(timed_us, sample_us), fewest_samples),
          .batch = batch};
}

std::uint32_t batch_alone(double pass_us, std::uint32_t batch) {
  constexpr double most_us = 50'000;
  return static_cast<std::uint32_t>(std::clamp(most_us / pass_us, 1.0, 1.0 * batch));
}

Pace pace_of(std::span<const double> passes_us, Pace pace, std::uint32_t rounds, double seconds) {
  const double shortest = passes_us.empty() ? 0 : std::ranges::min(passes_us);
  const double all_us = std::accumulate(passes_us.begin(), passes_us.end(), 0.0);
  const auto timed = [&] { return 1.0 * runs_of_sample * pace.turn * pace.batch; };
  const auto too_long = [&] {
    const double passes = timed() + (shortest < long_pass_us ? 1 : 0);
    return rounds * passes * all_us > seconds * us_per_second;
  };
  while (pace.turn > 1 && too_long()) --pace.turn;
  while (pace.batch > 1 && too_long()) --pace.batch;
  pace.round_us = timed() * all_us;
  return pace;
}

}  // namespace trilane
