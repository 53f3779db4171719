// The driver's functions that the recorder itself calls. The application has loaded the driver:
// nothing is linked.
#pragma once

#include <cuda.h>

namespace trilane {

// The macros of cuda.h give each one the version that its header declares.
#define TRILANE_GRAPH_FUNCTIONS(X) \
  X(cuGraphClone)                  \
  X(cuGraphDestroy)                \
  X(cuGraphGetNodes)               \
  X(cuGraphGetEdges)               \
  X(cuGraphNodeGetType)            \
  X(cuGraphNodeFindInClone)        \
  X(cuGraphNodeSetParams)          \
  X(cuGraphChildGraphNodeGetGraph) \
  X(cuGraphKernelNodeGetParams)    \
  X(cuGraphKernelNodeSetParams)    \
  X(cuGraphMemcpyNodeGetParams)    \
  X(cuGraphMemcpyNodeSetParams)    \
  X(cuGraphMemsetNodeGetParams)    \
  X(cuGraphHostNodeSetParams)      \
  X(cuGraphMemsetNodeSetParams)    \
  X(cuGraphMemAllocNodeGetParams)  \
  X(cuGraphMemFreeNodeGetParams)
#define TRILANE_DRIVER_FUNCTIONS(X) \
  X(cuDriverGetVersion)             \
  X(cuDeviceGetName)                \
  X(cuCtxGetDevice)                 \
  X(cuCtxSetCurrent)                \
  X(cuFuncGetAttribute)             \
  X(cuFuncGetName)                  \
  X(cuFuncGetParamInfo)             \
  X(cuKernelGetFunction)            \
  X(cuKernelGetName)                \
  X(cuKernelGetParamInfo)           \
  X(cuPointerGetAttribute)          \
  X(cuStreamGetFlags)               \
  X(cuStreamGetPriority)            \
  X(cuStreamQuery)                  \
  X(cuStreamIsCapturing)            \
  TRILANE_GRAPH_FUNCTIONS(X)

/// A function of the driver. One that an older driver lacks is false and returns an error.
template <typename Function>
struct DriverFunction;
template <typename... Arguments>
struct DriverFunction<CUresult(Arguments...)> {
  CUresult (*address)(Arguments...) = nullptr;

  explicit operator bool() const { return address != nullptr; }
  CUresult operator()(Arguments... arguments) const {
    return address == nullptr ? CUDA_ERROR_NOT_FOUND : address(arguments...);
  }
};

struct DriverFunctions {
#define TRILANE_MEMBER(name) DriverFunction<decltype(::name)> name;
  TRILANE_DRIVER_FUNCTIONS(TRILANE_MEMBER)
#undef TRILANE_MEMBER

  /// Returns true if the driver has everything that graphs need.
  bool know_graphs() const;
};

/// Returns all of them, found at first use.
const DriverFunctions& driver_functions();

}  // namespace trilane
