// The keys of the results file: every record's fields, stated once for the writer and the reader.
#pragma once

#include <concepts>
#include <type_traits>

#include "common/results/results.hpp"

namespace trilane {

/// `T` is `Record`, const for the writer and not for the reader.
template <typename T, typename Record>
concept Is = std::same_as<std::remove_const_t<T>, Record>;

/// Calls `archive(key, field)` for each field of `r`, in the order of the file.
/// `archive.derived(key, number)` is what a reader need not compute, and must find unchanged.
void fields(auto& archive, Is<PoolPolicy> auto& r) {
  archive("threshold", r.threshold);
  archive("follow_events", r.follow_events);
  archive("opportunistic", r.opportunistic);
  archive("internal", r.internal);
  archive("per_lane", r.per_lane);
  archive("allocations", r.allocations);
}

void fields(auto& archive, Is<Workload> auto& r) {
  archive("name", r.name);
  archive("modified", r.modified);
  archive("bytes", r.bytes);
  archive("chunk_bytes", r.chunk_bytes);
  archive("result_bytes", r.result_bytes);
  archive("lanes", r.lanes);
  archive("depth", r.depth);
  archive("rounds", r.rounds);
  archive("order", r.order);
  archive("host_memory", r.host_memory);
  archive("pool", r.pool);
  archive.derived("chunks", r.chunk_bytes == 0 ? 0 : r.chunks());
}

void fields(auto& archive, Is<Expectation> auto& r) {
  archive("value", r.value);
  archive("at_least", r.at_least);
}

void fields(auto& archive, Is<Plan> auto& r) {
  archive("calls", r.calls);
  archive("nodes", r.nodes);
  archive("facts", r.facts);
  archive("scratch_bytes", r.scratch_bytes);
  archive("streams", r.streams);
  archive("host_threads", r.host_threads);
  archive("blocks", r.blocks);
  archive("needs_pools", r.needs_pools);
  archive("maps_host", r.maps_host);
}

void fields(auto& archive, Is<Sample> auto& r) {
  archive("process", r.process);
  archive("round", r.round);
  archive("after", r.after);
  archive("submit_us", r.submit_us);
  archive("device_us", r.device_us);
  archive("wall_us", r.wall_us);
}

void fields(auto& archive, Is<Summary> auto& r) {
  archive("median", r.median);
  archive("q1", r.q1);
  archive("q3", r.q3);
  archive("p99", r.p99);
  archive("min", r.min);
}

void fields(auto& archive, Is<Ratio> auto& r) {
  archive("estimate", r.estimate);
  archive("low", r.low);
  archive("high", r.high);
}

void fields(auto& archive, Is<Price> auto& r) {
  archive("setup_us", r.setup_us);
  archive("phases", r.phases);
  archive("passes_us", r.passes_us);
  archive("priming_us", r.priming_us);
  archive("teardown_us", r.teardown_us);
  archive("device_bytes", r.device_bytes);
  archive("pool_used_high_bytes", r.pool_used_high_bytes);
  archive("pool_reserved_high_bytes", r.pool_reserved_high_bytes);
  archive("graph_reserved_bytes", r.graph_reserved_bytes);
}

void fields(auto& archive, Is<Crossing> auto& r) {
  archive("sequences", r.sequences);
  archive("run", r.run);
  archive("passes", r.passes);
  archive("low", r.low);
  archive("high", r.high);
}

void fields(auto& archive, Is<BreakEven> auto& r) {
  archive("pays", r.pays);
  archive("passes", r.passes);
  archive("low", r.low);
  archive("high", r.high);
  archive("crossing", r.crossing);
}

void fields(auto& archive, Is<Advice> auto& r) {
  archive("use", r.use);
  archive("over", r.over);
  archive("ratio", r.ratio);
  archive("break_even", r.break_even);
  archive("device_bytes", r.device_bytes);
  archive("limited_by", r.limited_by);
  archive("share", r.share);
  archive("figures", r.figures);
  archive("next", r.next);
}

void fields(auto& archive, Is<Measurement> auto& r) {
  archive("variant", r.variant);
  archive("status", r.status);
  archive("message", r.message);
  archive("plan", r.plan);
  archive("evidence", r.evidence);
  archive("setup_us", r.setup_us);
  archive("first_pass_us", r.first_pass_us);
  archive("teardown_us", r.teardown_us);
  archive("checked_passes", r.checked_passes);
  archive("submit", r.submit);
  archive("device", r.device);
  archive("wall", r.wall);
  archive("ratio", r.ratio);
  archive("break_even", r.break_even);
  archive("price", r.price);
  archive("samples", r.samples);
}

void fields(auto& archive, Is<Limit> auto& r) {
  archive("in_gbps", r.in_gbps);
  archive("out_gbps", r.out_gbps);
  archive("duplex_in_gbps", r.duplex_in_gbps);
  archive("duplex_out_gbps", r.duplex_out_gbps);
  archive("copy_in_us", r.copy_in_us);
  archive("clear_us", r.clear_us);
  archive("kernels_us", r.kernels_us);
  archive("copy_out_us", r.copy_out_us);
  archive("steady_in_us", r.steady_in_us);
  archive("steady_work_us", r.steady_work_us);
  archive("steady_out_us", r.steady_out_us);
  archive("bound_us", r.bound_us);
  archive("serial_us", r.serial_us);
}

void fields(auto& archive, Is<Comparison> auto& r) {
  archive("workload", r.workload);
  archive("mode", r.mode);
  archive("batch", r.batch);
  archive("wait", r.wait);
  archive("reference", r.reference);
  archive("seed", r.seed);
  archive("processes", r.processes);
  archive("slow_down", r.slow_down);
  archive("requested_kernel_us", r.requested_kernel_us);
  archive("stopped", r.stopped);
  archive("rounds", r.rounds);
  archive("seconds", r.seconds);
  archive("limit", r.limit);
  archive("regime", r.regime);
  archive("regime_held", r.regime_held);
  archive("verdict", r.verdict);
  archive("advice", r.advice);
  archive("measurements", r.measurements);
}

void fields(auto& archive, Is<Context> auto& r) {
  archive("simulated", r.simulated);
  archive("tool_version", r.tool_version);
  archive("git_revision", r.git_revision);
  archive("build_type", r.build_type);
  archive("command_line", r.command_line);
  archive("started", r.started);
  archive("finished", r.finished);
  archive("host", r.host);
  archive("environment", r.environment);
  archive("gpu", r.gpu);
  archive("gpu_before", r.gpu_before);
  archive("gpu_after", r.gpu_after);
  archive("other_processes", r.other_processes);
  archive("notes", r.notes);
}

void fields(auto& archive, Is<Results> auto& r) {
  archive("context", r.context);
  archive("comparisons", r.comparisons);
}

}  // namespace trilane
