// The required results of the examples in kernels/examples/, computed on the CPU by independent
// code.
#pragma once

#include <bit>
#include <mutex>

#include "common/model/workload/parallel.hpp"
#include "tests/framework.hpp"

namespace trilane {

/// Returns the elements that the bytes hold.
template <typename Element>
std::vector<Element> elements_of(const std::vector<std::byte>& bytes) {
  std::vector<Element> elements(bytes.size() / sizeof(Element));
  std::memcpy(elements.data(), bytes.data(), elements.size() * sizeof(Element));
  return elements;
}

template <typename Element>
std::vector<std::byte> bytes_of(const std::vector<Element>& elements) {
  const auto bytes = std::as_bytes(std::span(elements));
  return {bytes.begin(), bytes.end()};
}

using Word = std::uint32_t;
using State = std::array<Word, 8>;

/// Returns the first 32 bits of the fractional part of a root. A long double has 64 bits of
/// precision, and no root's whole part needs more than 5.
inline Word fraction_of(long double root) {
  return static_cast<Word>((root - std::floor(root)) * 4294967296.0L);
}

struct Constants {
  State initial{};               ///< of the square roots of the first 8 primes
  std::array<Word, 64> round{};  ///< of the cube roots of the first 64 primes

  Constants() {
    std::size_t primes = 0;
    for (int number = 2; primes < round.size(); ++number) {
      bool is_prime = true;
      for (int by = 2; by * by <= number; ++by) is_prime &= number % by != 0;
      if (!is_prime) continue;
      if (primes < initial.size()) initial[primes] = fraction_of(std::sqrt(1.0L * number));
      round[primes++] = fraction_of(std::cbrt(1.0L * number));
    }
  }
};

inline const Constants& constants() {
  static const Constants all;
  return all;
}

inline std::array<Word, 64> schedule_of(std::span<const std::byte, 64> block) {
  std::array<Word, 64> w{};
  for (std::size_t i = 0; i < block.size(); ++i) {
    w[i / 4] = w[i / 4] << 8 | std::to_integer<Word>(block[i]);
  }
  for (std::size_t t = 16; t < w.size(); ++t) {
    const Word x = w[t - 15], y = w[t - 2];
    w[t] = (std::rotr(y, 17) ^ std::rotr(y, 19) ^ y >> 10) + w[t - 7] +
           (std::rotr(x, 7) ^ std::rotr(x, 18) ^ x >> 3) + w[t - 16];
  }
  return w;
}

inline void compress(State& state, std::span<const std::byte, 64> block) {
  const std::array<Word, 64> w = schedule_of(block);
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t t = 0; t < w.size(); ++t) {
    const Word choice = (e & f) ^ (~e & g), majority = (a & b) ^ (a & c) ^ (b & c);
    const Word t1 = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + choice +
                    constants().round[t] + w[t];
    const Word t2 = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + majority;
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  const State after{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += after[i];
}

/// Returns the hash of a message of at most 119 bytes, one or two blocks: SHA-256 as in FIPS 180-4.
inline std::array<std::byte, 32> plain_sha256(std::span<const std::byte> message) {
  std::array<std::byte, 128> padded{};
  std::ranges::copy(message, padded.begin());
  padded[message.size()] = std::byte{0x80};
  const std::size_t bytes = message.size() < 56 ? 64 : 128, bits = message.size() * 8;
  padded[bytes - 2] = static_cast<std::byte>(bits >> 8);
  padded[bytes - 1] = static_cast<std::byte>(bits);
  State state = constants().initial;
  for (std::size_t at = 0; at < bytes; at += 64) {
    compress(state, std::span(padded).subspan(at).first<64>());
  }
  std::array<std::byte, 32> hash{};
  for (std::size_t i = 0; i < hash.size(); ++i) {
    hash[i] = static_cast<std::byte>(state[i / 4] >> (24 - 8 * (i % 4)));
  }
  return hash;
}

using Bytes = std::vector<std::byte>;
using BytesIn = std::span<const Bytes>;

/// Does both passes at once: the 25 products of the weights of rows and columns.
inline Bytes blur(std::uint32_t, BytesIn inputs) {
  constexpr std::ptrdiff_t width = 1024;
  constexpr std::array<unsigned, 5> weights{1, 4, 6, 4, 1};
  const auto image = elements_of<std::uint8_t>(inputs[0]);
  const std::ptrdiff_t rows = std::ssize(image) / width;
  std::vector<std::uint8_t> blurred;
  for (std::ptrdiff_t y = 0; y < rows; ++y) {
    for (std::ptrdiff_t x = 0; x < width; ++x) {
      unsigned sum = 0;
      for (std::ptrdiff_t tap = 0; tap < 25; ++tap) {
        const std::ptrdiff_t row = std::clamp<std::ptrdiff_t>(y + tap / 5 - 2, 0, rows - 1);
        const std::ptrdiff_t column = std::clamp<std::ptrdiff_t>(x + tap % 5 - 2, 0, width - 1);
        sum += weights[static_cast<std::size_t>(tap / 5)] *
               weights[static_cast<std::size_t>(tap % 5)] *
               image[static_cast<std::size_t>(row * width + column)];
      }
      blurred.push_back(static_cast<std::uint8_t>((sum + 128) / 256));
    }
  }
  return bytes_of(blurred);
}

inline Bytes histogram(std::uint32_t, BytesIn inputs) {
  std::vector<std::uint32_t> counts(256);
  for (const std::byte byte : inputs[0]) ++counts[std::to_integer<std::size_t>(byte)];
  return bytes_of(counts);
}

/// Returns the number of an IEEE 754 binary16 as a float, by their bits.
inline float widened(std::uint16_t half) {
  constexpr std::uint32_t infinity = 0x7f800000;
  const std::uint32_t sign = std::uint32_t{half & 0x8000u} << 16;
  const std::uint32_t exponent = half >> 10 & 31u, fraction = half & 1023u;
  std::uint32_t bits = 0;
  if (exponent == 31) {
    bits = infinity | fraction << 13;
  } else if (exponent > 0) {
    bits = (exponent + 127 - 15) << 23 | fraction << 13;
  } else if (fraction > 0) {
    // The leading one of a subnormal half becomes the implied one of a float.
    const auto shift = static_cast<std::uint32_t>(std::countl_zero(fraction)) - 21;
    bits = (127 - 14 - shift) << 23 | (fraction << shift & 1023u) << 13;
  }
  return std::bit_cast<float>(sign | bits);
}

inline Bytes halves(std::uint32_t, BytesIn inputs) {
  constexpr float factor = 0.1f;
  std::vector<float> scaled;
  for (const auto half : elements_of<std::uint16_t>(inputs[0])) {
    scaled.push_back(widened(half) * factor);
  }
  return bytes_of(scaled);
}

inline Bytes products(std::uint32_t, BytesIn inputs) {
  const auto left = elements_of<float>(inputs[0]), right = elements_of<float>(inputs[1]);
  std::vector<float> product;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const std::size_t matrix = i / 256 * 256, row = i % 256 / 16, column = i % 16;
    double sum = 0;
    for (std::size_t k = 0; k < 16; ++k) {
      sum += double{left[matrix + row * 16 + k]} * double{right[matrix + k * 16 + column]};
    }
    product.push_back(static_cast<float>(sum));
  }
  return bytes_of(product);
}

/// Returns true if the header's double hash is at most the target, both from their last byte on.
inline bool is_found(std::span<const std::byte> header, std::span<const std::byte> target) {
  const auto hash = plain_sha256(plain_sha256(header));
  return !std::lexicographical_compare(target.rbegin(), target.rend(), hash.rbegin(), hash.rend());
}

inline Bytes nonces(std::uint32_t chunk, BytesIn inputs) {
  constexpr std::uint32_t of_a_chunk = 4194304, header_bytes = 80, nonce_at = 76;
  const std::span<const std::byte> job(inputs[0]);
  const std::uint32_t first = elements_of<std::uint32_t>(inputs[0])[nonce_at / 4];
  std::vector<std::uint32_t> found_and_smallest{0, UINT32_MAX};
  std::mutex mutex;
  in_parallel(of_a_chunk, 1 << 14, [&](std::size_t begin, std::size_t end) {
    std::array<std::byte, header_bytes> header{};
    std::ranges::copy(job.first(header_bytes), header.begin());
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t nonce = first + chunk * of_a_chunk + static_cast<std::uint32_t>(i);
      std::memcpy(&header[nonce_at], &nonce, sizeof nonce);
      if (!is_found(header, job.subspan(header_bytes))) continue;
      const std::scoped_lock lock(mutex);
      ++found_and_smallest[0];
      found_and_smallest[1] = std::min(found_and_smallest[1], nonce);
    }
  });
  return bytes_of(found_and_smallest);
}

/// Returns the output of one chunk of kernels/examples/EXAMPLE.json: its buffers that are copied
/// out, one after the other. `inputs` are those that are copied in, in the file's order; a shorter
/// chunk has shorter ones. The file's constants (width, factor, nonces of a chunk) are repeated in
/// the source. `products` is right within the file's tolerance, all others to the bit. Throws
/// std::out_of_range unless `example` is a known one, and Interrupted after a signal.
inline Bytes answer_of(const std::string& example, std::uint32_t chunk, BytesIn inputs) {
  using Answer = Bytes (*)(std::uint32_t, BytesIn);
  static const std::map<std::string, Answer> answers{{"blur", blur},
                                                     {"nonces", nonces},
                                                     {"histogram", histogram},
                                                     {"halves", halves},
                                                     {"products", products}};
  return answers.at(example)(chunk, inputs);
}

}  // namespace trilane
