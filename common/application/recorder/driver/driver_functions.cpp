#include "common/application/recorder/driver/driver_functions.hpp"

#include <dlfcn.h>

namespace trilane {
namespace {

template <typename Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
}

DriverFunctions found() {
  DriverFunctions all;
  void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) return all;
  find(library, "cuDriverGetVersion", all.driver_get_version);
  find(library, "cuDeviceGetName", all.device_get_name);
  find(library, "cuCtxGetDevice", all.ctx_get_device);
  find(library, "cuCtxSetCurrent", all.ctx_set_current);
  find(library, "cuFuncGetAttribute", all.func_get_attribute);
  find(library, "cuFuncGetName", all.func_get_name);
  find(library, "cuFuncGetParamInfo", all.func_get_param_info);
  find(library, "cuKernelGetFunction", all.kernel_get_function);
  find(library, "cuKernelGetName", all.kernel_get_name);
  find(library, "cuKernelGetParamInfo", all.kernel_get_param_info);
  find(library, "cuPointerGetAttribute", all.pointer_get_attribute);
  find(library, "cuStreamGetFlags", all.stream_get_flags);
  find(library, "cuStreamGetPriority", all.stream_get_priority);
  find(library, "cuStreamQuery", all.stream_query);
  find(library, "cuStreamIsCapturing", all.stream_is_capturing);
  find(library, "cuGraphClone", all.graph_clone);
  find(library, "cuGraphDestroy", all.graph_destroy);
  find(library, "cuGraphGetNodes", all.graph_get_nodes);
  find(library, "cuGraphGetEdges_v2", all.graph_get_edges);
  find(library, "cuGraphNodeGetType", all.graph_node_get_type);
  find(library, "cuGraphNodeFindInClone", all.graph_node_find_in_clone);
  find(library, "cuGraphNodeSetParams", all.graph_node_set_params);
  find(library, "cuGraphChildGraphNodeGetGraph", all.graph_child_get_graph);
  find(library, "cuGraphKernelNodeGetParams_v2", all.graph_kernel_get_params);
  find(library, "cuGraphKernelNodeSetParams_v2", all.graph_kernel_set_params);
  find(library, "cuGraphMemcpyNodeGetParams", all.graph_memcpy_get_params);
  find(library, "cuGraphMemcpyNodeSetParams", all.graph_memcpy_set_params);
  find(library, "cuGraphMemsetNodeGetParams", all.graph_memset_get_params);
  find(library, "cuGraphMemsetNodeSetParams", all.graph_memset_set_params);
  find(library, "cuGraphMemAllocNodeGetParams", all.graph_allocation_get_params);
  find(library, "cuGraphMemFreeNodeGetParams", all.graph_free_get_params);
  return all;
}

}  // namespace

bool DriverFunctions::know_graphs() const {
  return graph_clone != nullptr && graph_destroy != nullptr && graph_get_nodes != nullptr &&
         graph_get_edges != nullptr && graph_node_get_type != nullptr &&
         graph_node_find_in_clone != nullptr && graph_node_set_params != nullptr &&
         graph_child_get_graph != nullptr && graph_kernel_get_params != nullptr &&
         graph_kernel_set_params != nullptr && graph_memcpy_get_params != nullptr &&
         graph_memcpy_set_params != nullptr && graph_memset_get_params != nullptr &&
         graph_memset_set_params != nullptr && graph_allocation_get_params != nullptr &&
         graph_free_get_params != nullptr;
}

const DriverFunctions& driver_functions() {
  static const DriverFunctions all = found();
  return all;
}

}  // namespace trilane
