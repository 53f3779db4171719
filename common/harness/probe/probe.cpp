#include "common/harness/probe/probe.hpp"

#include <algorithm>
#include <cmath>

#include "common/analysis/limits/pipelined.hpp"
#include "common/device/flavour.hpp"
#include "common/harness/probe/call_costs.hpp"
#include "common/harness/probe/stage_timer.hpp"

namespace trilane {

Limit probe_limit(const Job& job) {
  const TimedOnly timed;
  StageTimer timer(job);
  const double chunk_in = static_cast<double>(job.workload.bytes) / job.workload.chunks();
  const double chunk_out = static_cast<double>(job.workload.result_total()) / job.workload.chunks();
  const auto gbps = [](double bytes, double us) { return bytes / us * 1e-3; };
  const StageTimer::Duplex duplex = timer.duplex();
  Limit limit{
      .in_gbps = gbps(chunk_in, timer.steady_us({Stage::copy_in})),
      .out_gbps = gbps(chunk_out, timer.steady_us({Stage::copy_out})),
      .duplex_in_gbps = gbps(chunk_in, duplex.in_us),
      .duplex_out_gbps = gbps(chunk_out, duplex.out_us),
      .copy_in_us = timer.alone_us({Stage::copy_in}),
      .clear_us = timer.alone_us({Stage::clear}),
      .kernels_us = timer.alone_us({Stage::transform}) * timer.depth_scale(),
      .copy_out_us = timer.alone_us({Stage::copy_out}),
      .steady_in_us = duplex.in_us,
      .steady_work_us = timer.steady_us({Stage::clear, Stage::transform}) * timer.depth_scale(),
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
  for (auto time : chunk_times) {
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
  const auto time_of = [&](double rounds) {
    return timer.kernel_us(static_cast<std::uint32_t>(rounds));
  };
  // Kernel time is linear in the rounds, with a constant part: double the rounds until that part is
  // small, then correct twice along the line.
  double rounds = 64, time = time_of(rounds);
  while (!(time >= kernel_us / 2) && rounds < most / 4) time = time_of(rounds *= 2);
  const double constant = time_of(1);
  for (int i = 0; i < 2; ++i) {
    const double per_round = std::max((time - constant) / rounds, 1e-6);
    rounds = std::clamp(std::round((kernel_us - constant) / per_round), 1.0, most);
    time = time_of(rounds);
  }
  return static_cast<std::uint32_t>(rounds);
}

}  // namespace trilane
