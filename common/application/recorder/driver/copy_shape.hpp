// Computes what a copy of two or three dimensions moves, from the driver's description of it.
#pragma once

#include <cuda.h>

#include "common/application/iteration/observed_call.hpp"

namespace trilane {

inline constexpr char needs_array[] = "it copies from or to a CUDA array";
inline constexpr char needs_devices[] = "it copies between devices";

/// Returns the address where one side of a two- or three-dimensional copy starts; 0 for an array.
inline std::uint64_t start_of(CUmemorytype type, std::uint64_t device, const void* host,
                              std::uint64_t offset) {
  switch (type) {
    case CU_MEMORYTYPE_HOST: return reinterpret_cast<std::uint64_t>(host) + offset;
    case CU_MEMORYTYPE_DEVICE:
    case CU_MEMORYTYPE_UNIFIED: return device + offset;
    case CU_MEMORYTYPE_ARRAY: return 0;
  }
  return 0;
}

/// An absent pitch means rows without gaps.
inline std::uint64_t pitch_of(std::uint64_t pitch, std::uint64_t width) {
  return pitch == 0 ? width : pitch;
}

inline bool uses_array(const auto& copy) {
  return copy.srcMemoryType == CU_MEMORYTYPE_ARRAY || copy.dstMemoryType == CU_MEMORYTYPE_ARRAY;
}

/// Refuses a copy from one context to another. Within one context, a peer copy is like any other.
void refuse_devices(const auto& copy, ObservedCall& call) {
  if constexpr (requires { copy.srcContext; }) {
    if (copy.srcContext != copy.dstContext) call.refusal = needs_devices;
  }
}

/// Describes the copy: as one plane, unless a slice of either side has rows that are not copied.
void block_of(const auto& copy, ObservedCall& call) {
  call.bytes = copy.WidthInBytes * copy.Height * copy.Depth;
  call.height = copy.Height * copy.Depth;
  call.source_pitch = pitch_of(copy.srcPitch, copy.WidthInBytes);
  call.destination_pitch = pitch_of(copy.dstPitch, copy.WidthInBytes);
  const auto before = [](auto z, auto y, auto x, std::uint64_t height, std::uint64_t pitch) {
    return (z * height + y) * pitch + x;
  };
  call.source =
      start_of(copy.srcMemoryType, copy.srcDevice, copy.srcHost,
               before(copy.srcZ, copy.srcY, copy.srcXInBytes, copy.srcHeight, call.source_pitch));
  call.destination = start_of(
      copy.dstMemoryType, copy.dstDevice, copy.dstHost,
      before(copy.dstZ, copy.dstY, copy.dstXInBytes, copy.dstHeight, call.destination_pitch));
  const auto dense = [&](std::uint64_t height) { return height == 0 || height == copy.Height; };
  if (uses_array(copy)) {
    call.refusal = needs_array;
  } else if (copy.Depth > 1 && !(dense(copy.srcHeight) && dense(copy.dstHeight))) {
    call.depth = copy.Depth;
    call.source_rows = copy.srcHeight;
    call.destination_rows = copy.dstHeight;
  }
  refuse_devices(copy, call);
}

}  // namespace trilane
