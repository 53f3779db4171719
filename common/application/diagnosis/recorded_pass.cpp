// Converts a recording to a traced pass, so that it is drawn like one.
#include "common/application/diagnosis/make_diagnosis.hpp"

namespace trilane {
namespace {

Activity activity_of(const RecordedCall& call, const ApplicationRecording& recording) {
  if (call.kind == CallKind::memset) return Activity::memset;
  switch (engine_of(call, recording)) {
    case RecordedEngine::copy_in: return Activity::copy_in;
    case RecordedEngine::copy_out: return Activity::copy_out;
    case RecordedEngine::compute:
    case RecordedEngine::none: break;
  }
  return Activity::kernel;
}

std::string name_in_trace(const RecordedCall& call, const ApplicationRecording& recording) {
  return call.kind == CallKind::kernel ? recording.kernels[call.kernel].name
                                       : operation_name(call, recording);
}

TracedOperation operation_of(const RecordedCall& call, const ApplicationRecording& recording,
                             std::uint64_t id) {
  const Activity activity = activity_of(call, recording);
  return {.activity = activity,
          .name = name_in_trace(call, recording),
          .start_us = *call.device_start_us,
          .end_us = *call.device_start_us + *call.device_us,
          .bytes = call.bytes,
          .call = id,
          .stream = call.stream,
          .graph_node = 0,
          .copy_engine = activity == Activity::copy_in || activity == Activity::copy_out,
          .label = {.chunk = Label::none, .lane = call.stream}};
}

}  // namespace

VariantTrace trace_of(const ApplicationRecording& recording) {
  TracedPass pass;
  pass.recorded = true;
  for (std::size_t i = 0; i < recording.calls.size(); ++i) {
    const RecordedCall& call = recording.calls[i];
    const Label label{.chunk = Label::none,
                      .lane = acts_in_stream(call.kind) ? call.stream : Label::none};
    pass.records.calls.push_back({.id = i + 1,
                                  .name = function_of(call),
                                  .start_us = call.start_us,
                                  .end_us = call.start_us + call.host_us,
                                  .thread = 1,
                                  .label = label});
    if (!call.device_start_us || !call.device_us) continue;
    pass.records.operations.push_back(operation_of(call, recording, i + 1));
  }
  std::ranges::stable_sort(pass.records.calls, {}, &TracedCall::start_us);
  std::ranges::stable_sort(pass.records.operations, {}, &TracedOperation::start_us);
  if (!recording.calls.empty()) {
    pass.event_us = IterationSchedule(recording, HappensBefore(recording, 2)).period_us();
  }
  pass.end_us = pass.event_us;
  return {.variant = "iteration", .passes = {std::move(pass)}, .events_more_us = 0};
}

}  // namespace trilane
