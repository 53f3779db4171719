#include "common/harness/probe/probe.hpp"

#include <algorithm>
#include <cmath>

#include "common/analysis/limits/pipelined.hpp"
#include "common/device/flavour.hpp"
#include "common/harness/probe/call_costs.hpp"
#include "common/harness/probe/stage_timer.hpp"

namespace trilane {

namespace {

bool is_copy_in(Stage stage) { return stage == Stage::copy_in; }
bool is_copy_out(Stage stage) { return stage == Stage::copy_out; }
bool is_clear(Stage stage) { return stage == Stage::clear; }
bool is_transform(Stage stage) { return stage == Stage::transform; }
bool is_work(Stage stage) { return is_clear(stage) || is_transform(stage); }

}  // namespace

Limit probe_limit(const Job& job) {
  const TimedOnly timed;
  StageTimer timer(job);
  const double chunk_in = static_cast<double>(job.workload.bytes) / job.workload.chunks();
  const double chunk_out = static_cast<double>(job.workload.result_total()) / job.workload.chunks();
  constexpr double bytes_per_us_in_gbps = 1e-3;
  const StageTimer::Duplex duplex = timer.duplex();
  Limit limit{
      .in_gbps = chunk_in / timer.steady_us(is_copy_in) * bytes_per_us_in_gbps,
      .out_gbps = chunk_out / timer.steady_us(is_copy_out) * bytes_per_us_in_gbps,
      .duplex_in_gbps = chunk_in / duplex.in_us * bytes_per_us_in_gbps,
      .duplex_out_gbps = chunk_out / duplex.out_us * bytes_per_us_in_gbps,
      .copy_in_us = timer.alone_us(is_copy_in),
      .clear_us = timer.alone_us(is_clear),
      .kernels_us = timer.alone_us(is_transform) * timer.depth_scale(),
      .copy_out_us = timer.alone_us(is_copy_out),
      .steady_in_us = duplex.in_us,
      .steady_work_us = timer.steady_us(is_work) * timer.depth_scale(),
      .steady_out_us = duplex.out_us,
      .copy_engines = copy_engines(),
      .calls_us = call_costs(job, timer),
  };
  derive_bounds(limit, job.workload.chunks());
  return limit;
}

Limit fastest(const Limit& one, const Limit& other, std::uint32_t chunks) {
  Limit both = one;
  for (auto rate :
       {&Limit::in_gbps, &Limit::out_gbps, &Limit::duplex_in_gbps, &Limit::duplex_out_gbps}) {
    both.*rate = std::max(one.*rate, other.*rate);
  }
  for (auto time : {&Limit::copy_in_us, &Limit::clear_us, &Limit::kernels_us, &Limit::copy_out_us,
                    &Limit::steady_in_us, &Limit::steady_work_us, &Limit::steady_out_us}) {
    both.*time = std::min(one.*time, other.*time);
  }
  if (one.calls_us && other.calls_us) both.calls_us = lowest(*one.calls_us, *other.calls_us);
  derive_bounds(both, chunks);
  return both;
}

std::uint32_t rounds_for(const Job& job, double kernel_us) {
  constexpr double most = 1e9;
  const TimedOnly timed;
  StageTimer timer(job);
  // Kernel time is linear in the rounds, with a constant part: double the rounds until that part is
  // small, then correct twice along the line.
  double rounds = 64;
  double time = timer.kernel_us(static_cast<std::uint32_t>(rounds));
  while (!(time >= kernel_us / 2) && rounds < most / 4) {
    rounds *= 2;
    time = timer.kernel_us(static_cast<std::uint32_t>(rounds));
  }
  const double constant = timer.kernel_us(1);
  for (int i = 0; i < 2; ++i) {
    const double per_round = std::max((time - constant) / rounds, 1e-6);
    rounds = std::clamp(std::round((kernel_us - constant) / per_round), 1.0, most);
    time = timer.kernel_us(static_cast<std::uint32_t>(rounds));
  }
  return static_cast<std::uint32_t>(rounds);
}

}  // namespace trilane
