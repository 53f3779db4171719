#include "common/gpu/scratch/lane_scratch.hpp"

namespace trilane {

LaneScratch::LaneScratch(const Workload& workload, std::uint32_t lanes)
    : result_offset_(result_offset(workload)), memory_(lanes) {
  for (DeviceBuffer& memory : memory_) memory = make_device_buffer(workload.scratch_bytes());
}

}  // namespace trilane
