// Sources and compilers for the tests of users' kernels.
#pragma once

#include "common/measure/gpu/compile/compile.hpp"

namespace trilane::test {

inline constexpr Architecture h200{9, 0};

/// Two kernels, one of them a template.
inline constexpr const char* two_kernels = R"(#include <cstddef>
#include <cstdint>
namespace ns {
template <typename T, int N = 4>
__global__ void scale(const T* in, T* out, std::size_t n) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * T(N);
}
}
__global__ void blur(const float* in, float* out, std::size_t n) {
  if (threadIdx.x < n) out[threadIdx.x] = in[threadIdx.x] / 2;
}
)";

inline Compilers only_nvcc() {
  Compilers found = installed_compilers();
  found.nvrtc.clear();
  return found;
}

inline Compilers only_nvrtc(bool with_headers = true) {
  Compilers found = installed_compilers();
  found.nvcc.clear();
  if (!with_headers) found.cuda_headers.clear();
  return found;
}

}  // namespace trilane::test
