#include "common/analysis/limits/bounds.hpp"

#include <algorithm>

#include "common/analysis/limits/loads.hpp"

namespace trilane {
namespace {

Bound higher(const Bound& one, const Bound& other) { return one.us < other.us ? other : one; }

Bound in_lanes(const Comparison& comparison) {
  const Workload& workload = comparison.workload;
  const double chunk_us = comparison.limit->serial_us / workload.chunks();
  return {lane_us(comparison, workload.used_lanes(), chunk_us), Limiter::lane_stages};
}

/// The first chunk's copy in (its memset runs beside it), all kernels in turn, the last copy out.
Bound kernels_in_turn(const Comparison& comparison) {
  const Limit& limit = *comparison.limit;
  return {limit.copy_in_us + kernels_in_turn_us(comparison) + limit.copy_out_us,
          Limiter::kernels_in_turn};
}

/// Stages of different chunks wait only for a free engine.
Bound overlapping(const Comparison& comparison) {
  const Limit& limit = *comparison.limit;
  if (limit.copy_engines == 1u && limit.one_engine_us) {
    return {*limit.one_engine_us, Limiter::one_copy_engine};
  }
  return {limit.bound_us, limit.bound_by.value_or(Limiter::overlap)};
}

Bound chunk_by_chunk(const Comparison& comparison, Chaining chaining) {
  const Bound overlap = overlapping(comparison);
  switch (chaining) {
    case Chaining::one_stream: return {comparison.limit->serial_us, Limiter::taking_turns};
    case Chaining::lanes: return higher(overlap, in_lanes(comparison));
    case Chaining::engines:
      return kernel_us(comparison) < short_us ? overlap
                                              : higher(overlap, kernels_in_turn(comparison));
    case Chaining::data_edges: break;
  }
  return overlap;
}

/// With short kernels, launching them takes most of the SMs' time.
void name_short_kernels(Comparison& comparison) {
  Limit& limit = *comparison.limit;
  if (limit.bound_by == Limiter::sms && kernel_us(comparison) < short_us) {
    limit.bound_by = Limiter::kernel_launches;
  }
}

double copied_us(const CopyCost& cost, std::uint64_t bytes) {
  return cost.start_us + static_cast<double>(bytes) / (1 << 20) * cost.us_per_mib;
}

Bound in_one_piece(const Comparison& comparison) {
  const Limit& limit = *comparison.limit;
  const Workload& workload = comparison.workload;
  if (!limit.copies_in || !limit.copies_out) return {kernels_us(comparison), Limiter::sms};
  return {copied_us(*limit.copies_in, workload.bytes) + kernels_us(comparison) +
              copied_us(*limit.copies_out, workload.result_total()),
          Limiter::copies_in_turn};
}

Bound by_kernels(const Comparison& comparison) {
  const Limit& limit = *comparison.limit;
  const Workload& workload = comparison.workload;
  const Bound work{kernels_us(comparison), Limiter::sms};
  if (!limit.copies_in || !limit.copies_out) return work;
  const double in = copied_us({0, limit.copies_in->us_per_mib}, workload.bytes);
  const double out = copied_us({0, limit.copies_out->us_per_mib}, workload.result_total());
  return higher(work, {std::max(in, out), Limiter::link});
}

Bound on_device(const Comparison& comparison, const Model& model) {
  switch (model.mover) {
    case Mover::engines_per_pass:
      if (comparison.workload.chunks() > 1) return in_one_piece(comparison);
      [[fallthrough]];
    case Mover::engines_per_chunk: return chunk_by_chunk(comparison, model.chaining);
    case Mover::kernels:
    case Mover::fused_per_chunk:
    case Mover::fused_per_pass: break;
  }
  return by_kernels(comparison);
}

}  // namespace

std::optional<double> host_us(const Limit& limit, const Measurement& m) {
  if (launches_graph(m.plan.model)) {
    return m.plan.blocks || !m.submit ? std::nullopt : std::optional(m.submit->min);
  }
  if (!limit.calls_us) return std::nullopt;
  double us = 0;
  for (const CallCost& cost : *limit.calls_us) {
    us += static_cast<double>(calls_of(m.plan, cost.name)) * cost.us;
  }
  return us / std::max(1u, m.plan.host_threads);
}

std::optional<Bound> bound_of(const Comparison& comparison, const Measurement& m) {
  if (!comparison.limit || m.status != Status::ok || !m.wall) return std::nullopt;
  const Bound host{host_us(*comparison.limit, m).value_or(0), Limiter::host_submission};
  const Bound bound = higher(on_device(comparison, m.plan.model), host);
  return bound.us > 0 ? std::optional(bound) : std::nullopt;
}

void find_bounds(Comparison& comparison) {
  if (comparison.limit) name_short_kernels(comparison);
  for (Measurement& m : comparison.measurements) {
    m.bound_us = m.efficiency = std::nullopt;
    m.bound_by.reset();
    const std::optional<Bound> bound = bound_of(comparison, m);
    if (!bound) continue;
    m.bound_us = bound->us;
    m.bound_by = bound->by;
    m.efficiency = bound->us / m.wall->median;
  }
}

}  // namespace trilane
