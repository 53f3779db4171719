// Two kernels, and one that combines both.
using Word = unsigned int;

__device__ unsigned long long item() {
  return static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__global__ void twice(const Word* in, Word* out, unsigned long long n) {
  if (item() < n) out[item()] = 2 * in[item()];
}

__global__ void add_one(Word* words, unsigned long long n) {
  if (item() < n) words[item()] += 1;
}

__global__ void twice_add_one(const Word* in, Word* out, unsigned long long n) {
  if (item() < n) out[item()] = 2 * in[item()] + 1;
}
