// The driver's functions that the recorder itself calls. The application has loaded the driver:
// nothing is linked, and functions that an older driver lacks are null.
#pragma once

#include <cuda.h>

#include <string>

namespace trilane {

struct DriverFunctions {
  decltype(&cuDriverGetVersion) driver_get_version = nullptr;
  decltype(&cuDeviceGetName) device_get_name = nullptr;
  decltype(&cuCtxGetDevice) ctx_get_device = nullptr;
  decltype(&cuCtxSetCurrent) ctx_set_current = nullptr;
  decltype(&cuFuncGetAttribute) func_get_attribute = nullptr;
  decltype(&cuFuncGetName) func_get_name = nullptr;
  decltype(&cuFuncGetParamInfo) func_get_param_info = nullptr;
  decltype(&cuKernelGetFunction) kernel_get_function = nullptr;
  decltype(&cuKernelGetName) kernel_get_name = nullptr;
  decltype(&cuKernelGetParamInfo) kernel_get_param_info = nullptr;
  decltype(&cuPointerGetAttribute) pointer_get_attribute = nullptr;
  decltype(&cuStreamGetFlags) stream_get_flags = nullptr;
  decltype(&cuStreamGetPriority) stream_get_priority = nullptr;
  decltype(&cuStreamQuery) stream_query = nullptr;
  decltype(&cuStreamIsCapturing) stream_is_capturing = nullptr;
  decltype(&cuGraphClone) graph_clone = nullptr;
  decltype(&cuGraphDestroy) graph_destroy = nullptr;
  decltype(&cuGraphGetNodes) graph_get_nodes = nullptr;
  decltype(&cuGraphGetEdges) graph_get_edges = nullptr;
  decltype(&cuGraphNodeGetType) graph_node_get_type = nullptr;
  decltype(&cuGraphNodeFindInClone) graph_node_find_in_clone = nullptr;
  decltype(&cuGraphNodeSetParams) graph_node_set_params = nullptr;
  decltype(&cuGraphChildGraphNodeGetGraph) graph_child_get_graph = nullptr;
  decltype(&cuGraphKernelNodeGetParams) graph_kernel_get_params = nullptr;
  decltype(&cuGraphKernelNodeSetParams) graph_kernel_set_params = nullptr;
  decltype(&cuGraphMemcpyNodeGetParams) graph_memcpy_get_params = nullptr;
  decltype(&cuGraphMemcpyNodeSetParams) graph_memcpy_set_params = nullptr;
  decltype(&cuGraphMemsetNodeGetParams) graph_memset_get_params = nullptr;
  decltype(&cuGraphMemsetNodeSetParams) graph_memset_set_params = nullptr;
  decltype(&cuGraphMemAllocNodeGetParams) graph_allocation_get_params = nullptr;
  decltype(&cuGraphMemFreeNodeGetParams) graph_free_get_params = nullptr;

  /// Returns true if the driver has everything that graphs need.
  bool know_graphs() const;
};

/// Returns all of them, found at first use.
const DriverFunctions& driver_functions();

}  // namespace trilane
