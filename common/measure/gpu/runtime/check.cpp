#include "common/measure/gpu/runtime/check.hpp"

#include <cuda_runtime_api.h>

#include "common/base/text/exit_code.hpp"

namespace trilane {
namespace {

std::string describe(cudaError_t code, const std::source_location& place) {
  std::string_view file = place.file_name();
  if (const auto slash = file.rfind('/'); slash != file.npos) file.remove_prefix(slash + 1);
  return fmt::format("{} ({}): {}, at {}:{}", cudaGetErrorName(code), static_cast<int>(code),
                     cudaGetErrorString(code), file, place.line());
}

}  // namespace

CudaError::CudaError(cudaError_t code, const std::source_location& place)
    : std::runtime_error(describe(code, place)), code_(code) {}

void check(cudaError_t code, const std::source_location& place) {
  if (code == cudaErrorMemoryAllocation) throw OutOfMemory(describe(code, place));
  if (code != cudaSuccess) throw CudaError(code, place);
}

int device_attribute(cudaDeviceAttr name) {
  int device = 0, value = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&value, name, device));
  return value;
}

void warn(cudaError_t code, const std::source_location& place) noexcept {
  // After a sticky error every release fails with it, so print it only once.
  static std::atomic<cudaError_t> last{cudaSuccess};
  if (code == cudaSuccess || last.exchange(code) == code) return;
  try {
    fmt::print(stderr, "trilane: warning: a release failed: {}\n", describe(code, place));
  } catch (...) {
    std::fputs("trilane: warning: a release failed\n", stderr);
  }
}

void wait_if_unwinding() noexcept {
  if (std::uncaught_exceptions() > 0) cudaDeviceSynchronize();
}

bool is_lost() {
  cudaGetLastError();
  cudaDeviceSynchronize();
  return cudaDeviceSynchronize() != cudaSuccess;
}

}  // namespace trilane
