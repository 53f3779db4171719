#include "common/analysis/limits/bounds.hpp"

#include <algorithm>

#include "common/analysis/limits/limitation.hpp"
#include "common/analysis/limits/loads.hpp"

namespace trilane {
namespace {

Bound higher(const Bound& one, const Bound& other) { return one.us < other.us ? other : one; }

bool waits_each_time(const Plan& plan, const Workload& workload) {
  return count_of(plan.calls, "cudaStreamSynchronize") >= workload.operations();
}

/// As many streams as lanes, which are ordered only at the fork and at the join.
bool chained_in_lanes(const Plan& plan, std::uint32_t lanes) {
  return plan.streams == lanes &&
         (!plan.nodes.empty() || count_of(plan.calls, "cudaEventRecord") == lanes + 1);
}

/// A lane's chunks share its memory, so that one has to end before the next begins.
Bound in_lanes(const Comparison& comparison) {
  const std::uint32_t chunks = comparison.workload.chunks();
  const std::uint32_t lanes = comparison.workload.used_lanes();
  const double each = comparison.limit->serial_us / chunks;
  return {(chunks + lanes - 1) / lanes * each, "a lane's stages"};
}

/// Between the first chunk's copy in, beside which its memset runs, and the last one's copy out.
Bound kernels_in_turn(const Comparison& comparison) {
  const Limit& limit = *comparison.limit;
  return {limit.copy_in_us + kernels_in_turn_us(comparison) + limit.copy_out_us, "kernels in turn"};
}

Bound chunk_by_chunk(const Comparison& comparison) {
  const Limit& limit = *comparison.limit;
  if (limit.copy_engines == 1u && limit.one_engine_us) {
    return {*limit.one_engine_us, "the one copy engine"};
  }
  return {limit.bound_us, limit.bound_by.value_or("overlap")};
}

/// Where kernels are short it is their launches that keep the SMs.
void name_short_kernels(Comparison& comparison) {
  Limit& limit = *comparison.limit;
  if (limit.bound_by == "SMs" && kernel_us(comparison) < short_us) {
    limit.bound_by = "kernel launches";
  }
}

/// The stages' kernels of a pass, without its memsets, which not every variant needs.
double kernels_us(const Comparison& comparison) {
  const Limit& limit = *comparison.limit;
  if (kernel_us(comparison) < short_us) return 0;
  const double share = limit.kernels_us / (limit.clear_us + limit.kernels_us);
  return comparison.workload.chunks() * limit.steady_work_us * share;
}

double copied_us(const CopyCost& cost, std::uint64_t bytes) {
  return cost.start_us + static_cast<double>(bytes) / (1 << 20) * cost.us_per_mib;
}

Bound in_one_piece(const Comparison& comparison) {
  const Limit& limit = *comparison.limit;
  const Workload& workload = comparison.workload;
  if (!limit.copies_in || !limit.copies_out) return {kernels_us(comparison), "SMs"};
  return {copied_us(*limit.copies_in, workload.bytes) + kernels_us(comparison) +
              copied_us(*limit.copies_out, workload.result_total()),
          "copies in turn"};
}

Bound by_kernels(const Comparison& comparison) {
  const Limit& limit = *comparison.limit;
  const Workload& workload = comparison.workload;
  const Bound work{kernels_us(comparison), "SMs"};
  if (!limit.copies_in || !limit.copies_out) return work;
  const double in = copied_us({0, limit.copies_in->us_per_mib}, workload.bytes);
  const double out = copied_us({0, limit.copies_out->us_per_mib}, workload.result_total());
  return higher(work, {std::max(in, out), "link"});
}

Bound on_device(const Comparison& comparison, const Plan& plan) {
  const Workload& workload = comparison.workload;
  if (waits_each_time(plan, workload)) return {comparison.limit->serial_us, "taking turns"};
  if (copies_each_chunk(plan, workload)) {
    const Bound overlap = chunk_by_chunk(comparison);
    if (one_kernel_stream(plan, workload) && kernel_us(comparison) >= short_us) {
      return higher(overlap, kernels_in_turn(comparison));
    }
    return chained_in_lanes(plan, workload.used_lanes()) ? higher(overlap, in_lanes(comparison))
                                                         : overlap;
  }
  const bool copies =
      count_of(plan.nodes, "memcpy nodes") + count_of(plan.calls, "cudaMemcpyAsync") > 0;
  return copies ? in_one_piece(comparison) : by_kernels(comparison);
}

}  // namespace

std::optional<double> host_us(const Limit& limit, const Measurement& m) {
  if (!m.plan.nodes.empty()) {
    return m.plan.blocks || !m.submit ? std::nullopt : std::optional(m.submit->min);
  }
  if (!limit.calls_us) return std::nullopt;
  double us = 0;
  for (const CallCost& cost : *limit.calls_us) {
    us += static_cast<double>(count_of(m.plan.calls, cost.name)) * cost.us;
  }
  return us / std::max(1u, m.plan.host_threads);
}

std::optional<Bound> bound_of(const Comparison& comparison, const Measurement& m) {
  if (!comparison.limit || m.status != Status::ok || !m.wall) return std::nullopt;
  const Bound host{host_us(*comparison.limit, m).value_or(0), "host submission"};
  const Bound bound = higher(on_device(comparison, m.plan), host);
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
