// The driver's functions that the recorder calls itself. The application has loaded the driver:
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
  decltype(&cuStreamIsCapturing) stream_is_capturing = nullptr;
};

/// All of them, found at first use.
const DriverFunctions& driver_functions();

}  // namespace trilane
