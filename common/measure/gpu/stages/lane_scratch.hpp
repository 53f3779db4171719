// Scratch memory allocated once per lane and used by its chunks in turn.
#pragma once

#include <cstdint>
#include <vector>

#include "common/measure/gpu/runtime/handles.hpp"
#include "common/measure/gpu/stages/stages.hpp"

namespace trilane {

class LaneScratch {
 public:
  /// Allocates room for the largest chunk of `workload` in each of `lanes` lanes.
  LaneScratch(const Workload& workload, std::uint32_t lanes);

  const Scratch& operator[](std::uint32_t lane) const { return views_[lane]; }

 private:
  std::vector<DeviceBuffer> memory_;
  std::vector<Scratch> views_;
};

}  // namespace trilane
