#include "common/measure/gpu/runtime/device.hpp"

#include <cuda_runtime_api.h>

#include "common/base/system/library.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/measure/gpu/runtime/check.hpp"

namespace trilane {
namespace {

std::string version_text(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

/// Returns the reason why no device can be used. These codes were observed without a driver, with
/// the stub library, and with hidden, broken or missing devices.
std::string why_none(cudaError_t code) {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  int driver = 0;
  switch (code) {
    case cudaErrorInsufficientDriver:
      if (cudaDriverGetVersion(&driver) == cudaSuccess && driver > 0) {
        return fmt::format(
            "no usable GPU: the driver supports CUDA {}, this program needs {}. "
            "Install a newer NVIDIA driver",
            version_text(driver), version_text(CUDART_VERSION));
      }
      return "no usable GPU: no NVIDIA driver is installed. Install one, or predict with "
             "trilane-sim";
    case cudaErrorStubLibrary:
      return "no usable GPU: libcuda.so.1 is the toolkit's stub, not a driver. Install the NVIDIA "
             "driver, and remove the stubs folder from LD_LIBRARY_PATH";
    case cudaErrorNoDevice:
    case cudaErrorInvalidDevice:
      if (visible != nullptr) {
        return fmt::format(
            "no usable GPU: CUDA_VISIBLE_DEVICES=\"{}\" hides every device. "
            "Unset it or name one that nvidia-smi -L lists",
            visible);
      }
      return "no usable GPU: the driver finds no device. See nvidia-smi";
    default:
      return fmt::format("no usable GPU: {} ({}): {}. See nvidia-smi", cudaGetErrorName(code),
                         static_cast<int>(code), cudaGetErrorString(code));
  }
}

/// Throws NoGpu for the codes that mean "no GPU", and CudaError for all others.
void require_gpu(cudaError_t code) {
  constexpr std::array no_gpu{cudaErrorInitializationError,
                              cudaErrorStubLibrary,
                              cudaErrorInsufficientDriver,
                              cudaErrorDevicesUnavailable,
                              cudaErrorNoDevice,
                              cudaErrorInvalidDevice,
                              cudaErrorSystemNotReady,
                              cudaErrorSystemDriverMismatch,
                              cudaErrorCompatNotSupportedOnDevice};
  if (includes(no_gpu, code)) throw NoGpu(why_none(code));
  check(code);
}

int attribute(cudaDeviceAttr name, int ordinal) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, name, ordinal));
  return value;
}

Device describe(int ordinal) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, ordinal));
  std::array<char, 32> bus_id{};
  check(cudaDeviceGetPCIBusId(bus_id.data(), static_cast<int>(bus_id.size()), ordinal));
  Device device{
      .ordinal = ordinal,
      .name = properties.name,
      .pci_bus_id = bus_id.data(),
      .compute_major = properties.major,
      .compute_minor = properties.minor,
      .multiprocessors = properties.multiProcessorCount,
      .memory_pools = attribute(cudaDevAttrMemoryPoolsSupported, ordinal) != 0,
      .one_process = attribute(cudaDevAttrComputeMode, ordinal) != cudaComputeModeDefault};
  check(cudaDriverGetVersion(&device.driver_version));
  check(cudaRuntimeGetVersion(&device.runtime_version));
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total));
  device.free_bytes = free;
  device.total_bytes = total;
  return device;
}

}  // namespace

unsigned flag_of(Wait wait) {
  switch (wait) {
    case Wait::spin: return cudaDeviceScheduleSpin;
    case Wait::yield: return cudaDeviceScheduleYield;
    case Wait::block: return cudaDeviceScheduleBlockingSync;
  }
  return cudaDeviceScheduleAuto;
}

std::string pci_bus_id_of(int ordinal) {
  std::array<char, 32> bus_id{};
  const int size = static_cast<int>(bus_id.size());
  if (cudaDeviceGetPCIBusId(bus_id.data(), size, ordinal) == cudaSuccess) return bus_id.data();
  cudaGetLastError();  // or a later call would appear to have failed
  return {};
}

void initialise_driver() {
  int count = 0;
  cudaGetDeviceCount(&count);
  cudaGetLastError();  // open_device() reports the reason
}

void share_process() {
  // The runtime's function would create a context on GPU 0. The simulated device has no driver.
  const Library driver = Library::in_process("libcuda.so.1");
  cudaError_t (*exchange)(cudaStreamCaptureMode*) =
      driver.function("cuThreadExchangeStreamCaptureMode");
  cudaStreamCaptureMode mode = cudaStreamCaptureModeThreadLocal;
  check(exchange ? exchange(&mode) : cudaThreadExchangeStreamCaptureMode(&mode));
}

void close_device() { check(cudaDeviceReset()); }

int device_count() {
  int count = 0;
  require_gpu(cudaGetDeviceCount(&count));
  if (count == 0) throw NoGpu(why_none(cudaErrorNoDevice));
  return count;
}

Device open_device(int ordinal, Wait wait) {
  const int count = device_count();
  if (ordinal >= count) {
    throw UsageError("--device {}: there {} {} device{} here; use 0{}", ordinal,
                     count == 1 ? "is" : "are", count, count == 1 ? "" : "s",
                     count == 1 ? "" : fmt::format(" to {}", count - 1));
  }
  require_gpu(cudaSetDevice(ordinal));
  require_gpu(cudaSetDeviceFlags(flag_of(wait)));
  require_gpu(cudaFree(nullptr));  // creates the context
  return describe(ordinal);
}

}  // namespace trilane
