// The driver's functions that the recorder itself calls. The application has loaded the driver:
// nothing is linked, and functions that an older driver lacks are null.
#pragma once

#include <cuda.h>

#include "common/base/system/library.hpp"

namespace trilane {

/// Returns a function of the driver that the application has loaded.
FoundFunction driver_function(const char* name);

struct DriverFunctions {
  decltype(&cuDriverGetVersion) driver_get_version = driver_function("cuDriverGetVersion");
  decltype(&cuDeviceGetName) device_get_name = driver_function("cuDeviceGetName");
  decltype(&cuCtxGetDevice) ctx_get_device = driver_function("cuCtxGetDevice");
  decltype(&cuCtxSetCurrent) ctx_set_current = driver_function("cuCtxSetCurrent");
  decltype(&cuFuncGetAttribute) func_get_attribute = driver_function("cuFuncGetAttribute");
  decltype(&cuFuncGetName) func_get_name = driver_function("cuFuncGetName");
  decltype(&cuFuncGetParamInfo) func_get_param_info = driver_function("cuFuncGetParamInfo");
  decltype(&cuKernelGetFunction) kernel_get_function = driver_function("cuKernelGetFunction");
  decltype(&cuKernelGetName) kernel_get_name = driver_function("cuKernelGetName");
  decltype(&cuKernelGetParamInfo) kernel_get_param_info = driver_function("cuKernelGetParamInfo");
  decltype(&cuPointerGetAttribute) pointer_get_attribute = driver_function("cuPointerGetAttribute");
  decltype(&cuStreamGetFlags) stream_get_flags = driver_function("cuStreamGetFlags");
  decltype(&cuStreamGetPriority) stream_get_priority = driver_function("cuStreamGetPriority");
  decltype(&cuStreamQuery) stream_query = driver_function("cuStreamQuery");
  decltype(&cuStreamIsCapturing) stream_is_capturing = driver_function("cuStreamIsCapturing");
  decltype(&cuGraphClone) graph_clone = driver_function("cuGraphClone");
  decltype(&cuGraphDestroy) graph_destroy = driver_function("cuGraphDestroy");
  decltype(&cuGraphGetNodes) graph_get_nodes = driver_function("cuGraphGetNodes");
  decltype(&cuGraphGetEdges) graph_get_edges = driver_function("cuGraphGetEdges_v2");
  decltype(&cuGraphNodeGetType) graph_node_get_type = driver_function("cuGraphNodeGetType");
  decltype(&cuGraphNodeFindInClone) graph_node_find_in_clone =
      driver_function("cuGraphNodeFindInClone");
  decltype(&cuGraphNodeSetParams) graph_node_set_params = driver_function("cuGraphNodeSetParams");
  decltype(&cuGraphChildGraphNodeGetGraph) graph_child_get_graph =
      driver_function("cuGraphChildGraphNodeGetGraph");
  decltype(&cuGraphKernelNodeGetParams) graph_kernel_get_params =
      driver_function("cuGraphKernelNodeGetParams_v2");
  decltype(&cuGraphKernelNodeSetParams) graph_kernel_set_params =
      driver_function("cuGraphKernelNodeSetParams_v2");
  decltype(&cuGraphMemcpyNodeGetParams) graph_memcpy_get_params =
      driver_function("cuGraphMemcpyNodeGetParams");
  decltype(&cuGraphMemcpyNodeSetParams) graph_memcpy_set_params =
      driver_function("cuGraphMemcpyNodeSetParams");
  decltype(&cuGraphMemsetNodeGetParams) graph_memset_get_params =
      driver_function("cuGraphMemsetNodeGetParams");
  decltype(&cuGraphMemsetNodeSetParams) graph_memset_set_params =
      driver_function("cuGraphMemsetNodeSetParams");
  decltype(&cuGraphMemAllocNodeGetParams) graph_allocation_get_params =
      driver_function("cuGraphMemAllocNodeGetParams");
  decltype(&cuGraphMemFreeNodeGetParams) graph_free_get_params =
      driver_function("cuGraphMemFreeNodeGetParams");

  /// Returns true if the driver has everything that graphs need.
  bool know_graphs() const;
};

/// Returns all of them, found at first use.
const DriverFunctions& driver_functions();

}  // namespace trilane
