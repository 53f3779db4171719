// Kernels of pipelines that are awkward in one way each.
using Word = unsigned int;

__device__ unsigned long long item() {
  return static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
}

extern "C" __global__ void add(const Word* one, const Word* other, Word* sum,
                               unsigned long long n) {
  if (item() < n) sum[item()] = one[item()] + other[item()];
}

__global__ void double_in_place(Word* words, unsigned long long n) {
  if (item() < n) words[item()] *= 2;
}

__global__ void count_up(unsigned short* numbers, unsigned long long n, unsigned int chunk,
                         unsigned long long before, signed char step) {
  if (item() < n) numbers[item()] = static_cast<unsigned short>((before + item()) * step + chunk);
}

template <typename T>
__global__ void invert(const T* in, T* out, unsigned long long n) {
  extern __shared__ unsigned char shared[];
  if (item() >= n) return;
  shared[threadIdx.x] = static_cast<unsigned char>(in[item()]);
  out[item()] = static_cast<T>(255 - shared[threadIdx.x]);
}
