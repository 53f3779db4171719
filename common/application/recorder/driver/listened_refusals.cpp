#include "common/application/recorder/driver/listened_call.hpp"

namespace trilane {
namespace {

constexpr ListenedCall refused(CUpti_CallbackId id, const char* why) {
  return {.id = id, .refusal = why};
}
#define TRILANE_REFUSED(function, why) refused(CUPTI_DRIVER_TRACE_CBID_##function, why)
/// Also refuses its name in programs built with a default stream per thread.
#define TRILANE_BOTH(function, why)                 \
  refused(CUPTI_DRIVER_TRACE_CBID_##function, why), \
      refused(CUPTI_DRIVER_TRACE_CBID_##function##_ptsz, why)

/// Refuses permanently: the memory stays within reach of kernels.
constexpr ListenedCall refused_for_ever(CUpti_CallbackId id, const char* why) {
  return {.id = id, .refusal = why, .lasts = true};
}
#define TRILANE_LASTS(function, why) refused_for_ever(CUPTI_DRIVER_TRACE_CBID_##function, why)

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

const ListenedCall all[] = {
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
    TRILANE_REFUSED(cuMemPoolDestroy, pool),
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

}  // namespace

std::span<const ListenedCall> listened_refusals() { return all; }

}  // namespace trilane
