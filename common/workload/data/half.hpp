// Numbers of 16 bits on the host.
#pragma once

#include <bit>
#include <cstdint>

namespace trilane {

__extension__ using Half = _Float16;

/// The bits of the nearest number of 16 bits.
inline std::uint16_t half_of(double value) {
  return std::bit_cast<std::uint16_t>(static_cast<Half>(static_cast<float>(value)));
}

/// The number with these bits.
inline double number_of(std::uint16_t half) {
  return static_cast<float>(std::bit_cast<Half>(half));
}

}  // namespace trilane
