// The keys of the results file: every record's fields.
#pragma once

#include "common/results/files/limit_fields.hpp"
#include "common/results/files/measurement_fields.hpp"
#include "common/results/files/workload_fields.hpp"
#include "common/results/results.hpp"

namespace trilane {

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
