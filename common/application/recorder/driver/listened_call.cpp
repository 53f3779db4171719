#include "common/application/recorder/driver/listened_call.hpp"

#include "common/application/recorder/driver/driver_surroundings.hpp"

namespace trilane {

namespace {

constexpr ListenedCall without_stream(CUpti_CallbackId id, Effect effect) {
  return {.id = id, .effect = effect};
}
#define TRILANE_LIFE(function, effect) without_stream(CUPTI_DRIVER_TRACE_CBID_##function, effect)

/// Reads the mode of a capture that begins; without one it is the global mode.
void begin_capture(const auto& p, ObservedCall& call) {
  call.stream = stream_in(p);
  if constexpr (requires { p.mode; }) call.value = static_cast<std::uint32_t>(p.mode);
}

void read_pool(const auto& p, ObservedCall& call) { call.pool = number_of(p.pool); }

constexpr CallKind other = CallKind::other;
constexpr auto none = DefaultStream::none;

/// Calls that wait or capture, and those that begin or end the life of streams and kernels.
const ListenedCall waits[] = {
    TRILANE_CALLS(cuEventRecord, _ptsz, read_handles, CallKind::record_event),
    TRILANE_CALLS(cuEventRecordWithFlags, _ptsz, read_handles, CallKind::record_event),
    TRILANE_CALLS(cuStreamWaitEvent, _ptsz, read_handles, CallKind::wait_event),
    TRILANE_CALLS(cuStreamSynchronize, _ptsz, read_handles, CallKind::synchronize_stream),
    TRILANE_CALLS(cuStreamQuery, _ptsz, read_handles, CallKind::query),
    {TRILANE_CALL(cuEventSynchronize, read_handles), CallKind::synchronize_event, none},
    {TRILANE_CALL(cuEventQuery, read_handles), CallKind::query, none},
    {.id = CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize, .kind = CallKind::synchronize_context},
    {.id = CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize_v2, .kind = CallKind::synchronize_context},
    TRILANE_CALLS(cuStreamBeginCapture, _ptsz, begin_capture, other, nullptr, false,
                  Effect::capture_begins),
    TRILANE_CALLS(cuStreamBeginCapture_v2, _ptsz, begin_capture, other, nullptr, false,
                  Effect::capture_begins),
    TRILANE_CALLS(cuStreamBeginCaptureToGraph, _ptsz, begin_capture, other, nullptr, false,
                  Effect::capture_begins),
    TRILANE_CALLS(cuStreamEndCapture, _ptsz, read_handles, other, nullptr, false,
                  Effect::capture_ends),
    {TRILANE_CALL(cuStreamDestroy, read_handles), other, none, nullptr, false,
     Effect::destroys_stream},
    {TRILANE_CALL(cuStreamDestroy_v2, read_handles), other, none, nullptr, false,
     Effect::destroys_stream},
    TRILANE_LIFE(cuModuleUnload, Effect::unloads),
    TRILANE_LIFE(cuLibraryUnload, Effect::unloads),
    TRILANE_LIFE(cuCtxDestroy, Effect::unloads),
    TRILANE_LIFE(cuCtxDestroy_v2, Effect::unloads),
    TRILANE_LIFE(cuDevicePrimaryCtxRelease, Effect::unloads),
    TRILANE_LIFE(cuDevicePrimaryCtxRelease_v2, Effect::unloads),
    TRILANE_LIFE(cuDevicePrimaryCtxReset, Effect::resets),
    TRILANE_LIFE(cuDevicePrimaryCtxReset_v2, Effect::resets),
    TRILANE_LIFE(cuModuleLoad, Effect::loads),
    TRILANE_LIFE(cuModuleLoadData, Effect::loads),
    TRILANE_LIFE(cuModuleLoadDataEx, Effect::loads),
    TRILANE_LIFE(cuModuleLoadFatBinary, Effect::loads),
    TRILANE_LIFE(cuLibraryLoadData, Effect::loads),
    TRILANE_LIFE(cuLibraryLoadFromFile, Effect::loads),
    TRILANE_LIFE(cuFuncLoad, Effect::loads),
    TRILANE_LIFE(cuStreamCreate, Effect::creates),
    TRILANE_LIFE(cuStreamCreateWithPriority, Effect::creates),
    TRILANE_LIFE(cuCtxSetLimit, Effect::creates),
};

/// `lasts`: refuses permanently, because the memory stays within reach of kernels.
constexpr ListenedCall refused(CUpti_CallbackId id, const char* why, bool lasts = false) {
  return {.id = id, .refusal = why, .lasts = lasts};
}
#define TRILANE_REFUSED(function, why) refused(CUPTI_DRIVER_TRACE_CBID_##function, why)
#define TRILANE_LASTS(function, why) refused(CUPTI_DRIVER_TRACE_CBID_##function, why, true)
/// Also refuses its name in programs built with a default stream per thread.
#define TRILANE_BOTH(function, why)                 \
  refused(CUPTI_DRIVER_TRACE_CBID_##function, why), \
      refused(CUPTI_DRIVER_TRACE_CBID_##function##_ptsz, why)

constexpr char waits_value[] = "it waits for a value in memory that something else writes";
constexpr char writes_value[] = "it writes a value that something else may wait for";
constexpr char external_memory[] = "it uses memory of another interface or process";
constexpr char external_semaphore[] = "it is ordered with work outside the process";
constexpr char managed[] = "it controls managed memory, which moves by itself";
constexpr char texture[] = "it makes a texture, which holds addresses that cannot be followed";
constexpr char surface[] = "it makes a surface, through which kernels write arrays";
constexpr char devices[] = "it joins the memory of several devices";
constexpr char contexts[] = "it makes a context beside the device's own";
constexpr char other_order[] = "it orders the work of a whole context";
constexpr char pool[] = "it makes, sets, trims or releases a pool that memory comes from";
constexpr char old_launch[] = "it launches a kernel in a way that the recorder does not support";

const ListenedCall refusals[] = {
    TRILANE_BOTH(cuStreamWaitValue32, waits_value),
    TRILANE_BOTH(cuStreamWaitValue64, waits_value),
    TRILANE_BOTH(cuStreamWaitValue32_v2, waits_value),
    TRILANE_BOTH(cuStreamWaitValue64_v2, waits_value),
    TRILANE_BOTH(cuStreamBatchMemOp, waits_value),
    TRILANE_BOTH(cuStreamBatchMemOp_v2, waits_value),
    TRILANE_BOTH(cuStreamWriteValue32, writes_value),
    TRILANE_BOTH(cuStreamWriteValue64, writes_value),
    TRILANE_BOTH(cuStreamWriteValue32_v2, writes_value),
    TRILANE_BOTH(cuStreamWriteValue64_v2, writes_value),
    TRILANE_LASTS(cuImportExternalMemory, external_memory),
    TRILANE_LASTS(cuIpcGetMemHandle, external_memory),
    TRILANE_LASTS(cuIpcOpenMemHandle, external_memory),
    TRILANE_LASTS(cuIpcOpenMemHandle_v2, external_memory),
    TRILANE_LASTS(cuMemImportFromShareableHandle, external_memory),
    TRILANE_LASTS(cuMemExportToShareableHandle, external_memory),
    TRILANE_LASTS(cuMemPoolImportPointer, external_memory),
    TRILANE_LASTS(cuMemPoolExportPointer, external_memory),
    TRILANE_LASTS(cuGraphicsMapResources, external_memory),
    TRILANE_LASTS(cuGraphicsMapResources_ptsz, external_memory),
    TRILANE_REFUSED(cuImportExternalSemaphore, external_semaphore),
    TRILANE_BOTH(cuSignalExternalSemaphoresAsync, external_semaphore),
    TRILANE_BOTH(cuWaitExternalSemaphoresAsync, external_semaphore),
    TRILANE_REFUSED(cuIpcGetEventHandle, external_semaphore),
    TRILANE_REFUSED(cuIpcOpenEventHandle, external_semaphore),
    TRILANE_BOTH(cuMemPrefetchAsync, managed),
    TRILANE_BOTH(cuMemPrefetchAsync_v2, managed),
    TRILANE_REFUSED(cuMemAdvise, managed),
    TRILANE_REFUSED(cuMemAdvise_v2, managed),
    TRILANE_BOTH(cuStreamAttachMemAsync, managed),
    TRILANE_BOTH(cuMemPrefetchBatchAsync, managed),
    TRILANE_BOTH(cuMemDiscardBatchAsync, managed),
    TRILANE_BOTH(cuMemDiscardAndPrefetchBatchAsync, managed),
    TRILANE_REFUSED(cuTexObjectCreate, texture),
    TRILANE_LASTS(cuSurfObjectCreate, surface),
    TRILANE_REFUSED(cuTexRefSetArray, texture),
    TRILANE_REFUSED(cuTexRefSetAddress_v2, texture),
    TRILANE_REFUSED(cuTexRefSetAddress2D_v2, texture),
    TRILANE_REFUSED(cuTexRefSetAddress2D_v3, texture),
    TRILANE_REFUSED(cuTexRefSetMipmappedArray, texture),
    TRILANE_LASTS(cuSurfRefSetArray, surface),
    TRILANE_LASTS(cuCtxEnablePeerAccess, devices),
    TRILANE_LASTS(cuMemPeerRegister, devices),
    TRILANE_LASTS(cuMulticastCreate, devices),
    TRILANE_REFUSED(cuLaunchCooperativeKernelMultiDevice, devices),
    TRILANE_REFUSED(cuCtxCreate_v2, contexts),
    TRILANE_REFUSED(cuCtxCreate_v3, contexts),
    TRILANE_REFUSED(cuCtxCreate_v4, contexts),
    TRILANE_REFUSED(cuGreenCtxCreate, contexts),
    TRILANE_REFUSED(cuCtxFromGreenCtx, contexts),
    TRILANE_REFUSED(cuCtxRecordEvent, other_order),
    TRILANE_REFUSED(cuCtxWaitEvent, other_order),
    TRILANE_REFUSED(cuGreenCtxRecordEvent, other_order),
    TRILANE_REFUSED(cuGreenCtxWaitEvent, other_order),
    TRILANE_REFUSED(cuMemPoolCreate, pool),
    {TRILANE_CALL(cuMemPoolDestroy, read_pool), other, none, pool},
    TRILANE_REFUSED(cuMemPoolTrimTo, pool),
    TRILANE_REFUSED(cuMemPoolSetAttribute, pool),
    TRILANE_REFUSED(cuMemPoolSetAccess, pool),
    TRILANE_REFUSED(cuDeviceSetMemPool, pool),
    TRILANE_REFUSED(cuMemSetMemPool, pool),
    TRILANE_REFUSED(cuLaunch, old_launch),
    TRILANE_REFUSED(cuLaunchGrid, old_launch),
    TRILANE_REFUSED(cuLaunchGridAsync, old_launch),
    TRILANE_BOTH(cuMemBatchDecompressAsync, old_launch),
    TRILANE_BOTH(cuMemMapArrayAsync, old_launch),
};

using Calls = std::span<const ListenedCall>;
using ByNumber = std::array<const ListenedCall*, CUPTI_DRIVER_TRACE_CBID_SIZE>;

ByNumber numbered() {
  ByNumber found{};
  for (const Calls list : {listened_launches(), listened_memory(), Calls(waits), Calls(refusals)}) {
    for (const ListenedCall& call : list) found[call.id] = &call;
  }
  return found;
}

}  // namespace

const ListenedCall* listened_call(CUpti_CallbackId id) {
  static const ByNumber all = numbered();
  return id < all.size() ? all[id] : nullptr;
}

bool is_glanced_at(const ListenedCall& call) {
  return call.effect == Effect::observed && call.refusal == nullptr && call.change == nullptr &&
         !allocates(call.kind) && !frees(call.kind);
}

std::uint64_t stream_of(std::uint64_t handle, const ListenedCall& call) {
  if (handle != 0) return handle;
  switch (call.stream) {
    case DefaultStream::none: return 0;
    case DefaultStream::legacy: return legacy_handle;
    case DefaultStream::per_thread: return per_thread_handle;
  }
  return 0;
}

CallGlance glance_of(const ListenedCall& call, const void* parameters) {
  CallGlance glance{.kind = call.kind, .function = call.id};
  if (call.glance != nullptr) call.glance(parameters, glance);
  glance.stream = stream_of(glance.stream, call);
  glance.waits = glance.waits || only_waits(call.kind);
  return glance;
}

}  // namespace trilane
