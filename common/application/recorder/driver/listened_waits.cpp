#include "common/application/recorder/driver/listened_call.hpp"

namespace trilane {
namespace {

constexpr ListenedCall without_stream(CUpti_CallbackId id, Effect effect) {
  return {.id = id, .effect = effect};
}
#define TRILANE_ENDS(function, effect) without_stream(CUPTI_DRIVER_TRACE_CBID_##function, effect)

constexpr CallKind other = CallKind::other;
constexpr auto none = DefaultStream::none;

const ListenedCall all[] = {
    TRILANE_CALLS(cuEventRecord, _ptsz, read_handles, CallKind::record_event),
    TRILANE_CALLS(cuEventRecordWithFlags, _ptsz, read_handles, CallKind::record_event),
    TRILANE_CALLS(cuStreamWaitEvent, _ptsz, read_handles, CallKind::wait_event),
    TRILANE_CALLS(cuStreamSynchronize, _ptsz, read_handles, CallKind::synchronize_stream),
    TRILANE_CALLS(cuStreamQuery, _ptsz, read_handles, CallKind::query),
    {TRILANE_CALL(cuEventSynchronize, read_handles), CallKind::synchronize_event, none},
    {TRILANE_CALL(cuEventQuery, read_handles), CallKind::query, none},
    {CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize, nullptr, CallKind::synchronize_context},
    {CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize_v2, nullptr, CallKind::synchronize_context},
    TRILANE_CALLS(cuStreamBeginCapture, _ptsz, read_handles, other, nullptr,
                  Effect::capture_begins),
    TRILANE_CALLS(cuStreamBeginCapture_v2, _ptsz, read_handles, other, nullptr,
                  Effect::capture_begins),
    TRILANE_CALLS(cuStreamBeginCaptureToGraph, _ptsz, read_handles, other, nullptr,
                  Effect::capture_begins),
    TRILANE_CALLS(cuStreamEndCapture, _ptsz, read_handles, other, nullptr, Effect::capture_ends),
    {TRILANE_CALL(cuStreamDestroy, read_handles), other, none, nullptr, Effect::destroys_stream},
    {TRILANE_CALL(cuStreamDestroy_v2, read_handles), other, none, nullptr, Effect::destroys_stream},
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
