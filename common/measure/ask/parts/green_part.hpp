// Green contexts: parts of the SMs with streams of their own.
#pragma once

#include <cuda.h>

#include "common/base/system/library.hpp"
#include "common/measure/ask/parts/backlog.hpp"

namespace trilane {

/// Returns a function of the driver of CUDA 12.5; null if this driver lacks it.
inline FoundFunction driver_function(const char* name) {
  FoundFunction found{};
  cudaDriverEntryPointQueryResult result{};
  check(cudaGetDriverEntryPointByVersion(name, &found.address, 12050, cudaEnableDefault, &result));
  return found;
}

struct GreenDriver {
  decltype(&cuDeviceGet) device = driver_function("cuDeviceGet");
  decltype(&cuDeviceGetDevResource) resource = driver_function("cuDeviceGetDevResource");
  decltype(&cuDevSmResourceSplitByCount) split = driver_function("cuDevSmResourceSplitByCount");
  decltype(&cuDevResourceGenerateDesc) describe = driver_function("cuDevResourceGenerateDesc");
  decltype(&cuGreenCtxCreate) create = driver_function("cuGreenCtxCreate");
  decltype(&cuGreenCtxDestroy) destroy = driver_function("cuGreenCtxDestroy");
  decltype(&cuGreenCtxStreamCreate) create_stream = driver_function("cuGreenCtxStreamCreate");

  /// Throws CudaError. Driver and runtime use the same error numbers.
  static void check(CUresult result) { trilane::check(static_cast<cudaError_t>(result)); }
};

/// A green context on some of the SMs, and its streams.
class GreenPart {
 public:
  GreenPart(const GreenDriver& driver, CUdevice device, CUdevResource sms, int streams)
      : context_(nullptr, driver.destroy) {
    CUdevResourceDesc description{};
    GreenDriver::check(driver.describe(&description, &sms, 1));
    CUgreenCtx context = nullptr;
    GreenDriver::check(driver.create(&context, description, device, CU_GREEN_CTX_DEFAULT_STREAM));
    context_.reset(context);
    while (std::ssize(streams_) < streams) {
      CUstream stream = nullptr;
      GreenDriver::check(driver.create_stream(&stream, context, CU_STREAM_NON_BLOCKING, 0));
      streams_.emplace_back(stream);
    }
  }

  const std::vector<OwnStream>& streams() const { return streams_; }

 private:
  std::unique_ptr<CUgreenCtx_st, decltype(&cuGreenCtxDestroy)> context_;
  std::vector<OwnStream> streams_;  // destroyed before the context, as the driver requires
};

/// Green contexts on a few SMs of the current device, with one stream, and on all others.
struct GreenParts {
  GreenPart few, rest;

  /// Returns nothing if the driver has no green contexts with streams, or cannot split the SMs of
  /// this device. Throws CudaError.
  static std::unique_ptr<GreenParts> make(unsigned few_sms, int rest_streams) {
    const GreenDriver driver;
    if (driver.create_stream == nullptr) return nullptr;
    int number = 0;
    check(cudaGetDevice(&number));
    CUdevice device = 0;
    GreenDriver::check(driver.device(&device, number));
    CUdevResource all{}, few{}, rest{};
    GreenDriver::check(driver.resource(device, &all, CU_DEV_RESOURCE_TYPE_SM));
    unsigned groups = 1;
    const CUresult split = driver.split(&few, &groups, &all, &rest, 0, few_sms);
    if (split == CUDA_ERROR_NOT_SUPPORTED || split == CUDA_ERROR_INVALID_RESOURCE_CONFIGURATION) {
      return nullptr;
    }
    GreenDriver::check(split);
    return std::unique_ptr<GreenParts>(
        new GreenParts{{driver, device, few, 1}, {driver, device, rest, rest_streams}});
  }
};

}  // namespace trilane
