#include "common/measure/harness/pricing/probe.hpp"

#include <algorithm>

#include "common/device/flavour/flavour.hpp"
#include "common/explain/analysis/limits/loads.hpp"
#include "common/explain/analysis/limits/pipelined.hpp"
#include "common/measure/harness/pricing/call_costs.hpp"
#include "common/measure/harness/pricing/stage_timer.hpp"
#include "common/measure/harness/pricing/whole_pass.hpp"

namespace trilane {

namespace {

WholePass shorter(const WholePass& one, const WholePass& other) {
  return {std::min(one.copy_in_us, other.copy_in_us), std::min(one.copy_out_us, other.copy_out_us),
          std::min(one.link_in_us, other.link_in_us), std::min(one.link_out_us, other.link_out_us),
          std::min(one.arithmetic_us, other.arithmetic_us)};
}

ChunkTimes times_by(StageTimer& timer) {
  const StageTimer::Duplex duplex = timer.duplex();
  const double scale = timer.depth_scale();
  return {.copy_in_us = timer.alone_us({Stage::copy_in}),
          .clear_us = timer.alone_us({Stage::clear}),
          .kernels_us = timer.alone_us({Stage::transform}) * scale,
          .copy_out_us = timer.alone_us({Stage::copy_out}),
          .one_way_in_us = timer.steady_us({Stage::copy_in}),
          .one_way_out_us = timer.steady_us({Stage::copy_out}),
          .steady_in_us = duplex.in_us,
          .steady_work_us = timer.steady_us({Stage::clear, Stage::transform}) * scale,
          .steady_out_us = duplex.out_us,
          .graph_kernels_us = timer.graph_alone_us({Stage::transform}) * scale,
          .graph_work_us = timer.graph_steady_us({Stage::clear, Stage::transform}) * scale,
          .graph_steady_kernels_us = timer.graph_steady_us({Stage::transform}) * scale};
}

}  // namespace

ChunkTimes probe_times(const Job& job) {
  const TimedOnly timed;
  StageTimer timer(job);
  return times_by(timer);
}

Limit probe_limit(const Job& job) {
  const TimedOnly timed;
  StageTimer timer(job);
  const ChunkTimes times = times_by(timer);
  const auto gbps = [](std::uint64_t bytes, double us) {
    return us > 0 ? static_cast<double>(bytes) / us * 1e-3 : 0;
  };
  const std::uint64_t in = job.workload.chunk_bytes, out = job.workload.result_bytes;
  Limit limit{.in_gbps = gbps(in, times.one_way_in_us),
              .out_gbps = gbps(out, times.one_way_out_us),
              .duplex_in_gbps = gbps(in, times.steady_in_us),
              .duplex_out_gbps = gbps(out, times.steady_out_us),
              .copy_engines = copy_engines(),
              .calls_us = call_costs(job, timer),
              .whole = probe_whole(job, times.graph_steady_kernels_us)};
  set_times(limit, times);
  derive_bounds(limit, exact_chunks(job.workload), crowds_results(job.workload));
  return limit;
}

Limit fastest(const Limit& one, const Limit& other, const Workload& workload) {
  Limit both = one;
  for (auto rate :
       {&Limit::in_gbps, &Limit::out_gbps, &Limit::duplex_in_gbps, &Limit::duplex_out_gbps}) {
    both.*rate = std::max(one.*rate, other.*rate);
  }
  set_times(both, shorter(times_of(one), times_of(other)));
  if (one.calls_us && other.calls_us) both.calls_us = lowest(*one.calls_us, *other.calls_us);
  if (one.whole && other.whole) both.whole = shorter(*one.whole, *other.whole);
  derive_bounds(both, exact_chunks(workload), crowds_results(workload));
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
