// Kernels use memory that was mapped at an address of the program's own before the loop.
#include <cuda.h>

#include "planted_app.hpp"

/// Returns a function of the driver, to which the program is not linked.
template <typename Function>
Function* driver_function(const char* name) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  CHECK(
      cudaGetDriverEntryPointByVersion(name, &function, CUDART_VERSION, cudaEnableDefault, &found));
  return reinterpret_cast<Function*>(function);
}
#define CALL(name, ...)                                                      \
  if (driver_function<decltype(name)>(#name)(__VA_ARGS__) != CUDA_SUCCESS) { \
    std::fprintf(stderr, #name " failed\n");                                 \
    std::exit(9);                                                            \
  }

int main(int argc, char** argv) {
  std::uint32_t *in = pinned(), *out = pinned(), *a = on_device();
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  std::size_t size = 0;
  CALL(cuMemGetAllocationGranularity, &size, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
  CUdeviceptr address = 0;
  CUmemGenericAllocationHandle handle = 0;
  CUmemAccessDesc access{};
  access.location = properties.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  CALL(cuMemAddressReserve, &address, size, 0, 0, 0);
  CALL(cuMemCreate, &handle, size, &properties, 0);
  CALL(cuMemMap, address, size, 0, handle, 0);
  CALL(cuMemSetAccess, address, size, &access, 1);
  auto* const mapped = reinterpret_cast<std::uint32_t*>(address);
  cudaStream_t stream = new_stream();
  Checksum checksum;
  fill(in, 43);
  CHECK(cudaMemset(mapped, 0, bytes));
  for (int i = 0; i < iterations(argc, argv); ++i) {
    CHECK(cudaMemcpyAsync(a, in, bytes, cudaMemcpyHostToDevice, stream));
    launch_mix(mapped, a, stream);  // what the iteration before left
    launch_mix(a, mapped, stream);
    CHECK(cudaMemcpyAsync(out, mapped, bytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    checksum.add(out, 16);
  }
  checksum.add(out);
  checksum.print();
}
