// Searches block headers as Bitcoin's miners do: which nonces give a header whose double SHA-256
// (FIPS 180-4), read as a little-endian number, is at most the target? The job is small: the 80
// bytes of a header as 20 words, the last being the first nonce of all chunks, then the target as 8
// words, the least significant first. The answer is smaller: the number found, and the smallest
// nonce among them. Sums and minima do not depend on the order of the atomic operations. The job
// of the pipeline file is Bitcoin's first block with an easier target; its own nonce, 2083236893,
// is in chunk 2.

__constant__ unsigned round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

struct Hash {
  unsigned words[8];
};

__device__ Hash initial() {
  return {{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab,
           0x5be0cd19}};
}

__device__ unsigned rotated(unsigned word, int by) { return __funnelshift_r(word, word, by); }

__device__ unsigned swapped(unsigned word) { return __byte_perm(word, 0, 0x0123); }

/// Returns the hash after one more block of 16 words. Keeps only the last 16 words of the schedule,
/// so that all stay in registers.
__device__ Hash compress(const Hash& before, unsigned (&w)[16]) {
  unsigned a = before.words[0], b = before.words[1], c = before.words[2], d = before.words[3],
           e = before.words[4], f = before.words[5], g = before.words[6], h = before.words[7];
#pragma unroll
  for (int i = 0; i < 64; ++i) {
    if (i >= 16) {
      const unsigned two = w[(i - 2) % 16], fifteen = w[(i - 15) % 16];
      w[i % 16] += (rotated(fifteen, 7) ^ rotated(fifteen, 18) ^ fifteen >> 3) + w[(i - 7) % 16] +
                   (rotated(two, 17) ^ rotated(two, 19) ^ two >> 10);
    }
    const unsigned one = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) +
                         ((e & f) ^ (~e & g)) + round_constants[i] + w[i % 16];
    const unsigned two =
        (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + one, d = c, c = b, b = a, a = one + two;
  }
  const unsigned after[8] = {a, b, c, d, e, f, g, h};
  Hash hash = before;
#pragma unroll
  for (int i = 0; i < 8; ++i) hash.words[i] += after[i];
  return hash;
}

/// Returns the hash of the header's first 64 bytes, which do not depend on the nonce.
__device__ Hash of_first_block(const unsigned* job) {
  unsigned w[16];
#pragma unroll
  for (int i = 0; i < 16; ++i) w[i] = swapped(job[i]);
  return compress(initial(), w);
}

/// Returns the double hash of the header with that nonce; `middle` is of_first_block().
__device__ Hash hash_of(const Hash& middle, const unsigned* job, unsigned nonce) {
  unsigned w[16] = {swapped(job[16]), swapped(job[17]), swapped(job[18]), swapped(nonce), 1u << 31};
  w[15] = 80 * 8;
  const Hash once = compress(middle, w);
  unsigned v[16] = {};
#pragma unroll
  for (int i = 0; i < 8; ++i) v[i] = once.words[i];
  v[8] = 1u << 31;
  v[15] = 32 * 8;
  return compress(initial(), v);
}

__device__ bool is_at_most(const Hash& hash, const unsigned* target) {
  for (int i = 7; i >= 0; --i) {
    const unsigned word = swapped(hash.words[i]);
    if (word != target[i]) return word < target[i];
  }
  return true;
}

/// Tries `count` nonces from the `offset`-th on. `found` must be 0 before, `smallest` 2^32 - 1.
__global__ void search_nonces(const unsigned* job, unsigned* found, unsigned* smallest,
                              unsigned offset, unsigned count) {
  const Hash middle = of_first_block(job);
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const unsigned nonce = job[19] + offset + i;
    if (is_at_most(hash_of(middle, job, nonce), job + 20)) {
      atomicAdd(found, 1);
      atomicMin(smallest, nonce);
    }
  }
}
