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
  LaneScratch(const Workload& workload, std::uint32_t lanes) {
    const Layout layout = layout_of(workload);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      memory_.push_back(make_device_buffer(layout.scratch_bytes));
      views_.push_back(scratch_view(memory_.back().get(), layout));
    }
  }

  const Scratch& operator[](std::uint32_t lane) const { return views_[lane]; }

 private:
  std::vector<DeviceBuffer> memory_;
  std::vector<Scratch> views_;
};

}  // namespace trilane
