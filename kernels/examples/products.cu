// Computes many products of 16 x 16 matrices, which neural networks and finite elements need by the
// thousand. A block computes one product: each of its 16 x 16 threads loads one element of either
// factor into shared memory, then computes one element of the result. A compiler may fuse
// multiplications and additions, so results may differ in the last bits: the pipeline file states
// a tolerance. Shared memory is dynamic, and the file gives its size.

/// Matrices are stored consecutively, each row by row.
__global__ void multiply(const float* left, const float* right, float* product) {
  extern __shared__ float tiles[];
  float* const rows = tiles;
  float* const columns = tiles + 256;
  const int element = threadIdx.y * 16 + threadIdx.x;
  const unsigned long long first = blockIdx.x * 256ull;
  rows[element] = left[first + element];
  columns[element] = right[first + element];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 16; ++k) sum += rows[threadIdx.y * 16 + k] * columns[k * 16 + threadIdx.x];
  product[first + element] = sum;
}
