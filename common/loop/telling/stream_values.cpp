#include "common/loop/telling/stream_values.hpp"

#include <cuda_runtime_api.h>

#include "common/gpu/runtime/check.hpp"

namespace trilane {
namespace {

void* driver_function(const char* name) {
  constexpr unsigned version = 11070;  // of the types in the header
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  check(cudaGetDriverEntryPointByVersion(name, &function, version, cudaEnableLegacyStream, &found));
  return found == cudaDriverEntryPointSuccess ? function : nullptr;
}

}  // namespace

WriteValue write_value_function() {
  return reinterpret_cast<WriteValue>(driver_function("cuStreamWriteValue32"));
}

WaitValue wait_value_function() {
  return reinterpret_cast<WaitValue>(driver_function("cuStreamWaitValue32"));
}

}  // namespace trilane
