// Finds the parts of a kernel's parameters that may be pointers.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "common/application/iteration/observed_call.hpp"
#include "common/application/iteration/surroundings.hpp"

namespace trilane {

inline constexpr std::uint64_t pointer_bytes = 8;

/// Eight bytes of a parameter that may be a pointer.
struct PointerWord {
  std::size_t parameter = 0;
  std::uint64_t value = 0;
};

/// Returns parameters of eight bytes, and larger ones in steps of eight, since structures hold
/// pointers aligned. The number is the same for each launch of a kernel, except for bytes that the
/// launch does not hold.
inline std::vector<PointerWord> pointer_words(const KernelFacts& kernel,
                                              const ObservedLaunch& launch) {
  std::vector<PointerWord> words;
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const auto& [offset, bytes] = kernel.parameters[i];
    for (std::uint64_t at = 0; at + pointer_bytes <= bytes; at += pointer_bytes) {
      if (offset + at + pointer_bytes > launch.arguments.size()) break;
      PointerWord word{i, 0};
      std::memcpy(&word.value, launch.arguments.data() + offset + at, pointer_bytes);
      words.push_back(word);
    }
  }
  return words;
}

/// Returns a number that is the same for the same bytes of a parameter; nothing if the launch does
/// not hold them.
inline std::optional<std::uint64_t> parameter_value(const ParameterPlace& place,
                                                    const ObservedLaunch& launch) {
  if (place.offset + place.bytes > launch.arguments.size()) return std::nullopt;
  std::uint64_t value = 0xcbf29ce484222325u;
  for (const std::byte byte : launch.arguments.subspan(place.offset, place.bytes)) {
    value = (value ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3u;
  }
  return value;
}

/// Returns the bytes of a parameter of at most eight bytes, lowest first; nothing for a larger
/// parameter, or if the launch does not hold the bytes.
inline std::optional<std::uint64_t> parameter_bits(const ParameterPlace& place,
                                                   const ObservedLaunch& launch) {
  std::uint64_t bits = 0;
  if (place.bytes > sizeof bits) return std::nullopt;
  if (place.offset + place.bytes > launch.arguments.size()) return std::nullopt;
  std::memcpy(&bits, launch.arguments.data() + place.offset, place.bytes);
  return bits;
}

}  // namespace trilane
