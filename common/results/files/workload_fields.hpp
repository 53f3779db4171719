// The keys of a workload, and of what a variant plans for it.
#pragma once

#include "common/json/fields.hpp"
#include "common/variant/plan.hpp"
#include "common/workload/workload.hpp"

namespace trilane {

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

void fields(auto& archive, Is<Model> auto& r) {
  archive("issuer", r.issuer);
  archive("chaining", r.chaining);
  archive("scratch", r.scratch);
  archive("mover", r.mover);
}

void fields(auto& archive, Is<Plan> auto& r) {
  archive("model", r.model);
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

}  // namespace trilane
