#include <cuda_runtime_api.h>

#include "kernels/empty.hpp"
#include "kernels/fused.hpp"
#include "kernels/launch.hpp"
#include "kernels/move.hpp"
#include "kernels/transform.hpp"

namespace trilane {

cudaError_t load_kernels() {
  for (const void* kernel :
       {transform_each_kernel(), transform_reduce_kernel(), copy_kernel(), clear_kernel(),
        fused_each_kernel(), fused_reduce_kernel(), empty_kernel()}) {
    cudaFuncAttributes attributes{};
    const cudaError_t error = cudaFuncGetAttributes(&attributes, kernel);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace trilane
