// Widens 16-bit floating-point numbers to 32 bits and scales them, as programs do with stored
// weights or sensor data. Chunks are small, so the host's calls take longest: a typical use of
// graphs. widen is a template; the pipeline file names the instance that it needs, "widen<float>".
// widen_and_scale processes a whole chunk at once and may read and write mapped host memory: the
// file names it as "fused". Each product is rounded once, so both ways give the same bits.
#include <cuda_fp16.h>

template <typename Wide>
__global__ void widen(const __half* halves, Wide* wide, unsigned long long count) {
  const unsigned long long i = blockIdx.x * 256ull + threadIdx.x;
  if (i < count) wide[i] = __half2float(halves[i]);
}

/// Scales in place.
__global__ void scale(float* numbers, unsigned long long count, float factor) {
  const unsigned long long i = blockIdx.x * 256ull + threadIdx.x;
  if (i < count) numbers[i] *= factor;
}

__global__ void widen_and_scale(const __half* halves, float* scaled, unsigned long long count,
                                float factor) {
  const unsigned long long i = blockIdx.x * 256ull + threadIdx.x;
  if (i < count) scaled[i] = __half2float(halves[i]) * factor;
}
