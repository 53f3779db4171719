// Counts the occurrences of each of the 256 values of a byte. A block counts in shared memory,
// where atomic additions are cheap, and adds its counts to the chunk's once at the end, so the
// chunk's counts must be zero before. Integer sums do not depend on the order of the additions.

/// Needs blocks of 256 threads: each takes 16 bytes at a time, and one bin at the start and the
/// end.
__global__ void count_bytes(const unsigned char* bytes, unsigned* counts, unsigned long long size) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  const unsigned long long thread = blockIdx.x * 256ull + threadIdx.x, threads = gridDim.x * 256ull;
  const unsigned long long whole = size / 16;
  for (unsigned long long i = thread; i < whole; i += threads) {
    const uint4 four = reinterpret_cast<const uint4*>(bytes)[i];
    const unsigned words[4] = {four.x, four.y, four.z, four.w};
    for (const unsigned word : words) {
      for (int shift = 0; shift < 32; shift += 8) atomicAdd(&bins[word >> shift & 255], 1);
    }
  }
  for (unsigned long long i = whole * 16 + thread; i < size; i += threads) {
    atomicAdd(&bins[bytes[i]], 1);
  }
  __syncthreads();
  if (bins[threadIdx.x] != 0) atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}
