// How the host waits for the device. It makes no difference in virtual time.
#include "common/device/simulator/machine/call.hpp"

using namespace trilane::simulator;

namespace {

/// CUDA Runtime API, Device Management, cudaSetDeviceFlags: at most one way to wait.
bool are_valid(unsigned flags) {
  if ((flags & ~unsigned{cudaDeviceMask}) != 0) return false;
  switch (flags & cudaDeviceScheduleMask) {
    case cudaDeviceScheduleAuto:
    case cudaDeviceScheduleSpin:
    case cudaDeviceScheduleYield:
    case cudaDeviceScheduleBlockingSync: return true;
    default: return false;
  }
}

}  // namespace

cudaError_t CUDARTAPI cudaSetDeviceFlags(unsigned flags) {
  return call("cudaSetDeviceFlags", [&](Machine& m) {
    if (!are_valid(flags)) refuse(cudaErrorInvalidValue);
    m.device_flags = flags;
  });
}

cudaError_t CUDARTAPI cudaGetDeviceFlags(unsigned* flags) {
  return call("cudaGetDeviceFlags", [&](Machine& m) {
    if (flags == nullptr) refuse(cudaErrorInvalidValue);
    *flags = m.device_flags | cudaDeviceMapHost;  // implicit for the runtime
  });
}
