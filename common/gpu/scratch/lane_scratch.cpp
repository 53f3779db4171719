#include "common/gpu/scratch/lane_scratch.hpp"

namespace trilane {

LaneScratch::LaneScratch(const Workload& workload, std::uint32_t lanes) {
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    memory_.push_back(make_device_buffer(workload.scratch_bytes()));
    views_.push_back(scratch_view(memory_.back().get(), result_offset(workload)));
  }
}

Scratch scratch_view(void* memory, std::uint64_t result_offset) {
  auto* const bytes = static_cast<std::byte*>(memory);
  return {bytes, bytes + result_offset};
}

}  // namespace trilane
