#include "common/measure/gpu/stages/lane_scratch.hpp"

namespace trilane {

LaneScratch::LaneScratch(const Workload& workload, std::uint32_t lanes) {
  const Layout layout = layout_of(workload);
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    memory_.push_back(make_device_buffer(layout.scratch_bytes));
    views_.push_back(scratch_view(memory_.back().get(), layout));
  }
}

}  // namespace trilane
