#include "common/application/recorder/calls/listened_call.hpp"

namespace trilane {
namespace {

/// The stream and the event, as far as the parameters name them.
template <typename Parameters>
void handles(const void* parameters, ObservedCall& call) {
  const auto& p = *static_cast<const Parameters*>(parameters);
  call.stream = stream_in(p);
  if constexpr (requires { p.hEvent; }) call.event = number_of(p.hEvent);
}

constexpr auto legacy = DefaultStream::legacy, per_thread = DefaultStream::per_thread,
               none = DefaultStream::none;

#define TRILANE_BOTH(function, kind)                         \
  {TRILANE_CALL(function, handles), kind, legacy}, {         \
    TRILANE_CALL(function##_ptsz, handles), kind, per_thread \
  }

constexpr ListenedCall of_capture(CUpti_CallbackId id, Effect effect) {
  return {.id = id, .effect = effect};
}
#define TRILANE_CAPTURE(function, effect) of_capture(CUPTI_DRIVER_TRACE_CBID_##function, effect)

const ListenedCall all[] = {
    TRILANE_BOTH(cuEventRecord, CallKind::record_event),
    TRILANE_BOTH(cuEventRecordWithFlags, CallKind::record_event),
    TRILANE_BOTH(cuStreamWaitEvent, CallKind::wait_event),
    TRILANE_BOTH(cuStreamSynchronize, CallKind::synchronize_stream),
    TRILANE_BOTH(cuStreamQuery, CallKind::query),
    {TRILANE_CALL(cuEventSynchronize, handles), CallKind::synchronize_event, none},
    {TRILANE_CALL(cuEventQuery, handles), CallKind::query, none},
    {CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize, nullptr, CallKind::synchronize_context},
    {CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize_v2, nullptr, CallKind::synchronize_context},
    TRILANE_CAPTURE(cuStreamBeginCapture, Effect::capture_begins),
    TRILANE_CAPTURE(cuStreamBeginCapture_ptsz, Effect::capture_begins),
    TRILANE_CAPTURE(cuStreamBeginCapture_v2, Effect::capture_begins),
    TRILANE_CAPTURE(cuStreamBeginCapture_v2_ptsz, Effect::capture_begins),
    TRILANE_CAPTURE(cuStreamBeginCaptureToGraph, Effect::capture_begins),
    TRILANE_CAPTURE(cuStreamBeginCaptureToGraph_ptsz, Effect::capture_begins),
    TRILANE_CAPTURE(cuStreamEndCapture, Effect::capture_ends),
    TRILANE_CAPTURE(cuStreamEndCapture_ptsz, Effect::capture_ends),
    TRILANE_CAPTURE(cuModuleUnload, Effect::unloads),
    TRILANE_CAPTURE(cuLibraryUnload, Effect::unloads),
};

}  // namespace

std::span<const ListenedCall> listened_waits() { return all; }

}  // namespace trilane
