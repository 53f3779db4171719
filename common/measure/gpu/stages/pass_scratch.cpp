#include "common/measure/gpu/stages/pass_scratch.hpp"

#include <cuda_runtime_api.h>

namespace trilane {

PassScratch::PassScratch(const Job& job) : job_(job) {
  for (const BufferPlace& place : job.layout.buffers) {
    const std::uint64_t pitch = pitch_of(job.workload, place);
    const std::uint64_t bytes = (job.layout.chunks - 1) * pitch + place.last_bytes;
    regions_.push_back({make_device_buffer(bytes), pitch, bytes});
  }
}

Scratch PassScratch::operator[](const Step& step) const {
  Scratch view;
  for (std::size_t i = 0; i < regions_.size(); ++i) {
    view.at[i] = regions_[i].memory.get() + step.chunk * regions_[i].pitch;
  }
  return view;
}

void PassScratch::enqueue_together(const StageRun& run, cudaStream_t stream) const {
  const Step first = steps_of(job_, run).front();
  const Region& region = regions_[first.buffer];
  const std::uint64_t stride = job_.layout.buffers[first.buffer].stride;
  switch (first.stage) {
    case Stage::copy_in:
      return copy_together(first, region.memory.get(), region.pitch, first.host_in, stride,
                           cudaMemcpyHostToDevice, stream);
    case Stage::copy_out:
      return copy_together(first, first.host_out, stride, region.memory.get(), region.pitch,
                           cudaMemcpyDeviceToHost, stream);
    case Stage::clear:
      return Operation(Operation::Clear{region.memory.get(), region.bytes, first.value})
          .enqueue(stream);
    case Stage::transform: break;
  }
}

void PassScratch::copy_together(const Step& first, std::byte* to, std::uint64_t to_pitch,
                                const std::byte* from, std::uint64_t from_pitch,
                                cudaMemcpyKind direction, cudaStream_t stream) const {
  const BufferPlace& place = job_.layout.buffers[first.buffer];
  const std::uint64_t chunks = job_.layout.chunks;
  if (chunks == 1 || (to_pitch == place.bytes && from_pitch == place.bytes)) {
    const std::uint64_t bytes = (chunks - 1) * place.bytes + place.last_bytes;
    return Operation(Operation::Copy{to, from, bytes, direction}).enqueue(stream);
  }
  const bool as_long = place.last_bytes == place.bytes;
  const std::uint64_t rows = as_long ? chunks : chunks - 1;
  check(cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, place.bytes, rows, direction, stream));
  if (as_long) return;
  Operation(
      Operation::Copy{to + rows * to_pitch, from + rows * from_pitch, place.last_bytes, direction})
      .enqueue(stream);
}

}  // namespace trilane
