#include "common/measure/loop/bench/device_wait.hpp"

#include <cuda_runtime_api.h>

#include "common/measure/gpu/runtime/check.hpp"

namespace trilane {
namespace {

unsigned flag_of(Wait wait) {
  switch (wait) {
    case Wait::spin: return cudaDeviceScheduleSpin;
    case Wait::yield: return cudaDeviceScheduleYield;
    case Wait::block: break;
  }
  return cudaDeviceScheduleBlockingSync;
}

}  // namespace

DeviceWait::DeviceWait(Wait wait) { check(cudaSetDeviceFlags(flag_of(wait))); }
DeviceWait::~DeviceWait() { warn(cudaSetDeviceFlags(flag_of(Wait::spin))); }

}  // namespace trilane
