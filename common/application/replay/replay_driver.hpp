// The driver's functions that a replay calls. The application has loaded the driver.
#pragma once

#include <cuda.h>

namespace trilane {

/// The macros of cuda.h give each one the version that its header declares.
#define TRILANE_REPLAY_FUNCTIONS(X)     \
  X(cuGetErrorName)                     \
  X(cuCtxGetDevice)                     \
  X(cuCtxGetCurrent)                    \
  X(cuCtxSetCurrent)                    \
  X(cuCtxSynchronize)                   \
  X(cuLaunchKernelEx)                   \
  X(cuLaunchKernel)                     \
  X(cuKernelGetFunction)                \
  X(cuFuncGetName)                      \
  X(cuFuncGetModule)                    \
  X(cuModuleGetGlobal)                  \
  X(cuModuleLoadData)                   \
  X(cuModuleUnload)                     \
  X(cuModuleGetFunction)                \
  X(cuMemcpy)                           \
  X(cuMemcpyAsync)                      \
  X(cuMemcpy2DUnaligned)                \
  X(cuMemcpy2DAsync)                    \
  X(cuMemcpy3D)                         \
  X(cuMemcpy3DAsync)                    \
  X(cuMemsetD8Async)                    \
  X(cuMemsetD16Async)                   \
  X(cuMemsetD32Async)                   \
  X(cuMemsetD2D8Async)                  \
  X(cuMemsetD2D16Async)                 \
  X(cuMemsetD2D32Async)                 \
  X(cuMemGetAddressRange)               \
  X(cuPointerGetAttribute)              \
  X(cuMemGetInfo)                       \
  X(cuMemAlloc)                         \
  X(cuMemFree)                          \
  X(cuMemAllocAsync)                    \
  X(cuMemAllocFromPoolAsync)            \
  X(cuMemFreeAsync)                     \
  X(cuMemPoolCreate)                    \
  X(cuMemPoolGetAttribute)              \
  X(cuMemPoolSetAttribute)              \
  X(cuMemPoolTrimTo)                    \
  X(cuDeviceGetMemPool)                 \
  X(cuMemPoolDestroy)                   \
  X(cuMemHostAlloc)                     \
  X(cuMemFreeHost)                      \
  X(cuStreamGetCtx)                     \
  X(cuStreamGetFlags)                   \
  X(cuStreamGetPriority)                \
  X(cuStreamSynchronize)                \
  X(cuStreamQuery)                      \
  X(cuStreamWaitEvent)                  \
  X(cuEventCreate)                      \
  X(cuEventDestroy)                     \
  X(cuEventRecord)                      \
  X(cuEventQuery)                       \
  X(cuEventSynchronize)                 \
  X(cuEventElapsedTime)                 \
  X(cuGraphCreate)                      \
  X(cuGraphDestroy)                     \
  X(cuGraphAddKernelNode)               \
  X(cuGraphAddMemcpyNode)               \
  X(cuGraphAddMemsetNode)               \
  X(cuGraphAddDependencies)             \
  X(cuGraphKernelNodeSetAttribute)      \
  X(cuGraphKernelNodeGetAttribute)      \
  X(cuGraphNodeGetType)                 \
  X(cuGraphGetNodes)                    \
  X(cuGraphGetEdges)                    \
  X(cuGraphInstantiate)                 \
  X(cuGraphExecDestroy)                 \
  X(cuGraphExecKernelNodeSetParams)     \
  X(cuGraphExecMemcpyNodeSetParams)     \
  X(cuGraphExecMemsetNodeSetParams)     \
  X(cuGraphAddChildGraphNode)           \
  X(cuGraphClone)                       \
  X(cuGraphNodeFindInClone)             \
  X(cuGraphMemcpyNodeSetParams)         \
  X(cuGraphExecChildGraphNodeSetParams) \
  X(cuGraphExecUpdate)                  \
  X(cuGraphUpload)                      \
  X(cuGraphLaunch)

/// Functions that older drivers lack, or have in a version with other arguments.
#define TRILANE_NEWER_REPLAY_FUNCTIONS(X) \
  X(cuMemcpyBatchAsync)                   \
  X(cuGraphConditionalHandleCreate)       \
  X(cuGraphAddNode)                       \
  X(cuStreamWaitValue32)                  \
  X(cuStreamWriteValue32)

struct ReplayDriver {
#define TRILANE_MEMBER(name) decltype(&::name) name = nullptr;
  TRILANE_REPLAY_FUNCTIONS(TRILANE_MEMBER)
  TRILANE_NEWER_REPLAY_FUNCTIONS(TRILANE_MEMBER)
#undef TRILANE_MEMBER
};

/// Returns all of them, found at first use (recorder/driver/driver_functions.cpp). Throws
/// NotPossible that names a function that the driver lacks; a newer one is then null.
const ReplayDriver& driver();

}  // namespace trilane
