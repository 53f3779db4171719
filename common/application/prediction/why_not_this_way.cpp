#include "common/application/prediction/why_not_this_way.hpp"

#include <algorithm>
#include <set>

#include "common/application/iteration/order/call_traits.hpp"
#include "common/application/iteration/order/stretches.hpp"
#include "common/application/prediction/ways/simulated_operation.hpp"

namespace trilane {
namespace {

std::string why_no_pool(const ApplicationRecording& recording) {
  if (!any_call(recording, [](const RecordedCall& c) { return c.kind == CallKind::allocate; })) {
    return "the iteration calls no cudaMalloc";
  }
  if (recording.streams.size() > 1) {
    return "the iteration uses several streams, and which of them frees the memory is not known";
  }
  return {};
}

std::string why_no_engines(const ApplicationRecording& recording) {
  std::set<RecordedEngine> engines;
  for (const RecordedCall& call : recording.calls) {
    if (allocated_kind(call.kind) == MemoryKind::pool) {
      return call.name + ": its memory comes and goes in the order of its stream";
    }
    if (is_simulated(call)) engines.insert(engine_of(call, recording));
  }
  return engines.size() > 1 ? "" : "all operations run on one engine";
}

}  // namespace

std::string why_not_this_way(SimulatedWay way, const ApplicationRecording& recording) {
  const bool something_varies = any_call(recording, varies);
  switch (way) {
    case SimulatedWay::same_calls: return {};
    case SimulatedWay::graph:
      if (something_varies) return "arguments or pointers vary from iteration to iteration";
      return why_no_graph(recording);
    case SimulatedWay::graph_set:
      if (!something_varies) return "nothing varies from iteration to iteration";
      return why_no_graph(recording);
    case SimulatedWay::engines: return why_no_engines(recording);
    case SimulatedWay::pinned:
      if (any_call(recording, [&](const RecordedCall& c) { return is_pageable(c, recording); })) {
        return {};
      }
      return "no copy uses pageable memory";
    case SimulatedWay::pool: return why_no_pool(recording);
  }
  return {};
}

}  // namespace trilane
