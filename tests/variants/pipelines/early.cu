// Kernels that let the next one start at once and wait for the previous one themselves. In PTX:
// NVRTC does not know CUDA's functions for this.
using Word = unsigned int;

__device__ unsigned long long item() {
  return static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ void let_next_start_and_wait() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" :::);
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// Reads each word from a distant place, which another block of the previous kernel wrote.
__global__ void turn_around(const Word* in, Word* out, unsigned long long n) {
  let_next_start_and_wait();
  if (item() < n) out[item()] = 3 * in[n - 1 - item()] + 1;
}
