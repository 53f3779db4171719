// Scratch memory allocated once, for each lane: chunks of a lane follow one another and share it.
#pragma once

#include <cstdint>
#include <vector>

#include "common/gpu/runtime/handles.hpp"
#include "common/gpu/stages/stages.hpp"

namespace trilane {

class LaneScratch {
 public:
  /// Room for the largest chunk of `workload`, for each of `lanes` lanes.
  LaneScratch(const Workload& workload, std::uint32_t lanes);

  const Scratch& operator[](std::uint32_t lane) const { return views_[lane]; }

 private:
  std::vector<DeviceBuffer> memory_;
  std::vector<Scratch> views_;
};

/// The view of a chunk's memory: input first, result at the workload's result offset.
Scratch scratch_view(void* memory, std::uint64_t result_offset);

}  // namespace trilane
