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
  find(library, "cuStreamIsCapturing", all.stream_is_capturing);
  return all;
}

}  // namespace

const DriverFunctions& driver_functions() {
  static const DriverFunctions all = found();
  return all;
}

}  // namespace trilane
