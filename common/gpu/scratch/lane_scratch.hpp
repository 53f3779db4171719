// Scratch memory allocated once per lane. The chunks of a lane use it one after the other.
#pragma once

#include <cstdint>
#include <vector>

#include "common/gpu/runtime/handles.hpp"
#include "common/gpu/stages/stages.hpp"

namespace trilane {

/// A chunk's view of `memory`: the input first, the result at `result_offset`.
inline Scratch scratch_view(std::byte* memory, std::uint64_t result_offset) {
  return {memory, memory + result_offset};
}

class LaneScratch {
 public:
  /// Room for the largest chunk of `workload`, for each of `lanes` lanes.
  LaneScratch(const Workload& workload, std::uint32_t lanes);

  Scratch operator[](std::uint32_t lane) const {
    return scratch_view(memory_[lane].get(), result_offset_);
  }

 private:
  std::uint64_t result_offset_;
  std::vector<DeviceBuffer> memory_;
};

}  // namespace trilane
