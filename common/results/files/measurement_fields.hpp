// The keys of what was measured of one variant.
#pragma once

#include "common/json/fields.hpp"
#include "common/results/measurement.hpp"

namespace trilane {

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

void fields(auto& archive, Is<TimelineOverlap> auto& r) {
  archive("of", r.of);
  archive("with", r.with);
  archive("us", r.us);
  archive("share", r.share);
}

void fields(auto& archive, Is<TimelineBusy> auto& r) {
  archive("engine", r.engine);
  archive("us", r.us);
  archive("share", r.share);
}

void fields(auto& archive, Is<TimelineIdle> auto& r) {
  archive("engine", r.engine);
  archive("host_us", r.host_us);
  archive("dependency_us", r.dependency_us);
  archive("latency_us", r.latency_us);
  archive("done_us", r.done_us);
}

void fields(auto& archive, Is<TimelineWaits> auto& r) {
  archive("activity", r.activity);
  archive("host_us", r.host_us);
  archive("engine_us", r.engine_us);
  archive("dependency_us", r.dependency_us);
  archive("latency_us", r.latency_us);
}

void fields(auto& archive, Is<Timeline> auto& r) {
  archive("event_us", r.event_us);
  archive("before_us", r.before_us);
  archive("span_us", r.span_us);
  archive("after_us", r.after_us);
  archive("untraced_us", r.untraced_us);
  archive("operations", r.operations);
  archive("planned", r.planned);
  archive("overlap", r.overlap);
  archive("busy", r.busy);
  archive("idle", r.idle);
  archive("waits", r.waits);
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
  archive("bound_us", r.bound_us);
  archive("bound_by", r.bound_by);
  archive("efficiency", r.efficiency);
  archive("price", r.price);
  archive("timeline", r.timeline);
  archive("samples", r.samples);
}

}  // namespace trilane
