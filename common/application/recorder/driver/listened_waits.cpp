#include "common/application/recorder/driver/listened_call.hpp"

namespace trilane {
namespace {

/// Reads the stream and the event, as far as the parameters name them.
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

constexpr ListenedCall on_stream(CUpti_CallbackId id, Decode decode, DefaultStream standard,
                                 Effect effect) {
  return {.id = id, .decode = decode, .stream = standard, .effect = effect};
}
#define TRILANE_ON_STREAM(function, standard, effect) \
  on_stream(TRILANE_CALL(function, handles), standard, effect)

constexpr ListenedCall without_stream(CUpti_CallbackId id, Effect effect) {
  return {.id = id, .effect = effect};
}
#define TRILANE_ENDS(function, effect) without_stream(CUPTI_DRIVER_TRACE_CBID_##function, effect)

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
    TRILANE_ON_STREAM(cuStreamBeginCapture, legacy, Effect::capture_begins),
    TRILANE_ON_STREAM(cuStreamBeginCapture_ptsz, per_thread, Effect::capture_begins),
    TRILANE_ON_STREAM(cuStreamBeginCapture_v2, legacy, Effect::capture_begins),
    TRILANE_ON_STREAM(cuStreamBeginCapture_v2_ptsz, per_thread, Effect::capture_begins),
    TRILANE_ON_STREAM(cuStreamBeginCaptureToGraph, legacy, Effect::capture_begins),
    TRILANE_ON_STREAM(cuStreamBeginCaptureToGraph_ptsz, per_thread, Effect::capture_begins),
    TRILANE_ON_STREAM(cuStreamEndCapture, legacy, Effect::capture_ends),
    TRILANE_ON_STREAM(cuStreamEndCapture_ptsz, per_thread, Effect::capture_ends),
    TRILANE_ON_STREAM(cuStreamDestroy, none, Effect::destroys_stream),
    TRILANE_ON_STREAM(cuStreamDestroy_v2, none, Effect::destroys_stream),
    TRILANE_ENDS(cuModuleUnload, Effect::unloads),
    TRILANE_ENDS(cuLibraryUnload, Effect::unloads),
    TRILANE_ENDS(cuCtxDestroy, Effect::unloads),
    TRILANE_ENDS(cuCtxDestroy_v2, Effect::unloads),
    TRILANE_ENDS(cuDevicePrimaryCtxRelease, Effect::unloads),
    TRILANE_ENDS(cuDevicePrimaryCtxRelease_v2, Effect::unloads),
    TRILANE_ENDS(cuDevicePrimaryCtxReset, Effect::resets),
    TRILANE_ENDS(cuDevicePrimaryCtxReset_v2, Effect::resets),
};

}  // namespace

std::span<const ListenedCall> listened_waits() { return all; }

}  // namespace trilane
