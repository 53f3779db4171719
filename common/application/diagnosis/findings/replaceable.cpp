#include "common/application/diagnosis/findings/replaceable.hpp"

#include <algorithm>
#include <map>

#include "common/application/iteration/order/call_traits.hpp"

namespace trilane {
namespace {

void add(Variation variation, Varying& to) {
  switch (variation) {
    case Variation::constant: ++to.constant; break;
    case Variation::alternates: ++to.alternating; break;
    case Variation::changes: ++to.changing; break;
  }
}

bool has_pointers(CallKind kind) {
  return kind == CallKind::copy || kind == CallKind::memset || kind == CallKind::allocate ||
         kind == CallKind::allocate_async || kind == CallKind::graph_launch;
}

}  // namespace

GraphBound graph_bound(const ApplicationRecording& recording,
                       const std::optional<DeviceUse>& device) {
  GraphBound bound;
  for (const RecordedCall& call : recording.calls) {
    const TimeUse use = use_of(call, recording);
    const bool in_stream_order = allocated_kind(call.kind) == MemoryKind::pool;
    if (use != TimeUse::launching && !in_stream_order) continue;
    ++bound.calls;
    bound.host_us += call.call_us.value_or(call.host_us) + call.runtime_us.value_or(0);
  }
  if (!device) return bound;
  bound.idle_us = 0;
  for (const TimeShare& cause : device->causes) {
    const bool by_launches =
        cause.use == TimeUse::launching || cause.use == TimeUse::launch_latency;
    if (by_launches) *bound.idle_us += cause.us;
  }
  return bound;
}

void add_varying(const ApplicationRecording& recording, Diagnosis& diagnosis) {
  std::map<std::string, Varying> by_name;
  for (const RecordedCall& call : recording.calls) {
    const bool is_kernel = call.kind == CallKind::kernel;
    if (!is_kernel && !has_pointers(call.kind)) continue;
    const std::string name = is_kernel ? operation_name(call, recording) : function_of(call);
    Varying& varying = by_name[name];
    varying.name = name;
    ++varying.calls;
    for (const Variation one : call.arguments) add(one, varying);
    if (!is_kernel) add(call.pointers, varying);
  }
  for (const auto& [name, varying] : by_name) {
    diagnosis.constant += varying.constant;
    if (varying.alternating + varying.changing > 0) diagnosis.varying.push_back(varying);
  }
  std::ranges::stable_sort(diagnosis.varying, std::greater{},
                           [](const Varying& v) { return std::pair(v.changing, v.alternating); });
}

}  // namespace trilane
