// Numbers of 16 bits on the host.
#pragma once

#include <cuda_fp16.h>

#include <bit>
#include <cstdint>

namespace trilane {

/// The bits of the nearest number of 16 bits.
inline std::uint16_t half_of(float value) {
  return static_cast<__half_raw>(__float2half(value)).x;
}

/// The number with these bits.
inline float float_of(std::uint16_t half) {
  __half_raw raw;
  raw.x = half;
  return __half2float(__half(raw));
}

}  // namespace trilane
