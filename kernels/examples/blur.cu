// Smooths tiles of a grey picture with the binomial weights 1 4 6 4 1, in two passes: along rows
// into 16-bit sums, then along columns back to bytes, with rounding. All arithmetic is in
// integers, so every byte is the same on every machine. Pixels beyond an edge of the tile repeat
// those at its edge, so a tile needs no neighbour, and chunks are independent.

/// Returns the weighted sum over five positions around `at`, clamped to 0..size-1; elements are
/// `stride` apart.
template <typename Element>
__device__ unsigned weighed(const Element* line, int at, int size, int stride) {
  const unsigned weights[5] = {1, 4, 6, 4, 1};
  unsigned sum = 0;
#pragma unroll
  for (int tap = 0; tap < 5; ++tap) {
    const int place = min(max(at + tap - 2, 0), size - 1);
    sum += weights[tap] * line[place * stride];
  }
  return sum;
}

/// Computes 16 times the mean along the row; a thread makes one pixel.
__global__ void blur_rows(const unsigned char* image, unsigned short* sums, int width, int rows) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= rows) return;
  sums[y * width + x] = weighed(image + y * width, x, width, 1);
}

/// Computes the mean of these sums along the column, rounded to the nearest byte.
__global__ void blur_columns(const unsigned short* sums, unsigned char* blurred, int width,
                             int rows) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= rows) return;
  blurred[y * width + x] = (weighed(sums + x, y, rows, width) + 128) / 256;
}
