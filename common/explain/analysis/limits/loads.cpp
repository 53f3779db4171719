#include "common/explain/analysis/limits/loads.hpp"

#include <algorithm>
#include <cmath>

#include "common/explain/analysis/limits/chunk_loads.hpp"
#include "common/explain/analysis/limits/pipelined.hpp"

namespace trilane {
namespace {

double arithmetic_us(const Shape& shape) { return shape.whole.value_or(WholePass{}).arithmetic_us; }

/// Returns the load of the kernels of all chunks, whatever else is between them. There is no bound
/// if chunks lie outside a lane's memory: there the same kernels took up to a fifth less time on an
/// H200, perhaps because chunks that are not aligned to 16 bytes get a thread for each word.
double kernels_of_lanes_us(const Shape& shape) {
  const ChunkTimes& t = shape.times;
  return std::max(lane_chunks(shape) * t.graph_kernels_us,
                  std::floor(shape.chunks) * t.graph_steady_kernels_us);
}

/// Returns the loads if all copies in one direction are made together. `in_us` and `out_us` are
/// their minimum times.
std::vector<Load> together(const Shape& shape, double in_us, double out_us) {
  const WholePass whole = shape.whole.value_or(WholePass{});
  const double kernels = kernels_of_lanes_us(shape), copies = whole.copy_in_us + whole.copy_out_us;
  return {{Limiter::copies_in_turn, copies + kernels, in_us + out_us + whole.arithmetic_us},
          {Limiter::copy_in, whole.copy_in_us, in_us},
          {Limiter::copy_out, whole.copy_out_us, out_us},
          {Limiter::sms, kernels, whole.arithmetic_us}};
}

std::vector<Load> in_one_piece(const Shape& shape) {
  const WholePass whole = shape.whole.value_or(WholePass{});
  return together(shape, whole.copy_in_us, whole.copy_out_us);
}

/// Returns the loads of batches. Their start latency is not measured, but their bytes go over the
/// link.
std::vector<Load> in_batches(const Shape& shape) {
  const WholePass whole = shape.whole.value_or(WholePass{});
  return together(shape, whole.link_in_us, whole.link_out_us);
}

Load link_of(const Shape& shape) {
  const WholePass whole = shape.whole.value_or(WholePass{});
  const double us = std::max(whole.link_in_us, whole.link_out_us);
  return {Limiter::link, us, us};
}

/// Returns the loads of kernels that move the bytes in addition to those of the stages.
std::vector<Load> by_kernels(const Shape& shape) {
  return {link_of(shape), {Limiter::sms, kernels_of_lanes_us(shape), arithmetic_us(shape)}};
}

/// Returns the loads of kernels that do all stages.
std::vector<Load> by_fused_kernels(const Shape& shape) {
  const double us = arithmetic_us(shape);
  return {link_of(shape), {Limiter::sms, us, us}};
}

}  // namespace

bool crowds_results(const Workload& workload) {
  constexpr std::uint64_t enough_bytes = 4 << 10, many_additions = 64;
  return !workload.pipeline && workload.result_bytes < enough_bytes &&
         workload.chunk_bytes >= many_additions * workload.result_bytes;
}

Shape shape_of(const Comparison& comparison) {
  const Workload& workload = comparison.workload;
  const Limit& limit = *comparison.limit;
  return {.times = times_of(limit),
          .chunks = exact_chunks(workload),
          .lanes = workload.used_lanes(),
          .depth = workload.depth,
          .whole = limit.whole,
          .one_copy_engine = limit.copy_engines == 1u,
          .crowded = crowds_results(workload),
          .in_turn = !workload.pipeline};
}

std::vector<Load> device_loads(const Shape& shape, const Model& model) {
  switch (model.mover) {
    case Mover::engines_per_chunk: return chunk_loads(shape, model);
    case Mover::engines_per_pass: return in_one_piece(shape);
    case Mover::engines_batched: return in_batches(shape);
    case Mover::kernels: return by_kernels(shape);
    case Mover::fused_per_chunk:
    case Mover::fused_per_pass: return by_fused_kernels(shape);
  }
  return {};
}

std::optional<double> host_us(const Limit& limit, const Measurement& m) {
  if (!m.submit) return std::nullopt;
  if (launches_graph(m.plan.model)) {
    return m.plan.blocks ? std::nullopt : std::optional(m.submit->min);
  }
  if (!limit.calls_us) return std::nullopt;
  double us = 0;
  for (const CallCost& cost : *limit.calls_us) {
    us += static_cast<double>(calls_of(m.plan, cost.name)) * cost.us;
  }
  return std::min(us / std::max(1u, m.plan.host_threads), m.submit->min);
}

std::vector<Load> loads_of(const Comparison& comparison, const Measurement& m) {
  std::vector<Load> loads = device_loads(shape_of(comparison), m.plan.model);
  loads.push_back(
      {Limiter::host_submission, m.submit->mean, host_us(*comparison.limit, m).value_or(0)});
  return loads;
}

double kernel_us(const Comparison& comparison) {
  return comparison.limit->kernels_us / comparison.workload.depth;
}

}  // namespace trilane
