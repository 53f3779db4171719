// Fake comparisons for tests of the displayed results.
#pragma once

#include "common/explain/analysis/verdict/derive.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "tests/framework.hpp"

namespace trilane {

/// Returns an ok measurement of `rounds` rounds, an odd number, with these medians and a spread of
/// half a percent each way. Each name has its own order of noise, so that variants with the same
/// times tie instead of being equal.
inline Measurement made_up(const std::string& variant, double submit_us, double wall_us,
                           std::uint32_t rounds = 21) {
  std::seed_seq seed(variant.begin(), variant.end());
  std::mt19937 engine(seed);
  std::vector<std::uint32_t> ranks(rounds);
  std::iota(ranks.begin(), ranks.end(), 0);
  for (std::uint32_t i = rounds; i > 1; --i) std::swap(ranks[i - 1], ranks[engine() % i]);
  Measurement m;
  m.variant = variant;
  m.status = Status::ok;
  m.plan.model = {Issuer::host, Chaining::lanes, ScratchSource::lane, Mover::engines_per_chunk};
  m.plan.calls = {{"cudaMemcpyAsync", 2 * presets().front().chunks()}};
  m.setup_us = 10 * submit_us;
  m.first_pass_us = 3 * wall_us;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    const double noise = 1 + 0.01 * (1.0 * ranks[round] / (rounds - 1) - 0.5);
    m.samples.push_back({submit_us * noise, 0.95 * wall_us * noise, wall_us * noise, round, 0});
  }
  return m;
}

inline Measurement made_up(const std::string& variant, Status status, const std::string& message) {
  Measurement m;
  m.variant = variant;
  m.status = status;
  m.message = message;
  return m;
}

inline Comparison made_up_comparison(std::vector<Measurement> measurements,
                                     const std::string& reference = "streams") {
  Comparison comparison;
  comparison.workload = presets().front();
  comparison.reference = reference;
  comparison.stopped = "precision";
  comparison.rounds = 21;
  comparison.seconds = 1.25;
  comparison.measurements = std::move(measurements);
  summarise(comparison);
  comparison.winners = winners_of(comparison);
  return comparison;
}

}  // namespace trilane
