#include "common/measure/gpu/mapped.hpp"

#include "common/measure/gpu/runtime/handles.hpp"
#include "kernels/fused.hpp"
#include "kernels/move.hpp"

namespace trilane {
namespace {

std::uint32_t* words(std::byte* bytes) { return reinterpret_cast<std::uint32_t*>(bytes); }

/// Returns the chunk's part of each buffer that has a place behind `memory`.
Scratch chunk_view(std::byte* memory, const Layout& layout,
                   std::optional<std::uint64_t> BufferPlace::*start, std::uint32_t chunk) {
  Scratch view;
  for (std::size_t i = 0; i < layout.buffers.size(); ++i) {
    const BufferPlace& place = layout.buffers[i];
    if (place.*start) view.at[i] = memory + *(place.*start) + chunk * place.stride;
  }
  return view;
}

}  // namespace

MappedHost::MappedHost(const Job& job)
    : in_shift_(device_address(job.host_in) - job.host_in),
      out_shift_(device_address(job.host_out) - job.host_out) {}

Scratch MappedHost::inputs(const Job& job, std::uint32_t chunk) const {
  return chunk_view(const_cast<std::byte*>(job.host_in) + in_shift_, job.layout,
                    &BufferPlace::in_start, chunk);
}

Scratch MappedHost::outputs(const Job& job, std::uint32_t chunk) const {
  return chunk_view(job.host_out + out_shift_, job.layout, &BufferPlace::out_start, chunk);
}

Operation operation_by_kernels(const Step& step, const MappedHost& host, const Scratch& scratch) {
  const Label label{step.chunk, step.lane};
  std::byte* const buffer = scratch[step.buffer];
  switch (step.stage) {
    case Stage::copy_in: return Operation(copy_launch(host.in(step), buffer, step.in_bytes), label);
    case Stage::clear: return Operation(clear_launch(buffer, step.out_bytes, step.value), label);
    case Stage::transform: return transform(step, scratch);
    case Stage::copy_out: break;
  }
  return Operation(copy_launch(buffer, host.out(step), step.out_bytes), label);
}

Operation fused(const Job& job, const Step& step, const MappedHost& host) {
  const Label label{step.chunk, step.lane};
  if (job.workload.pipeline) {
    const bool is_last = step.chunk + 1 == job.layout.chunks;
    const FileLaunch* const launch = is_last ? job.kernels.fused_last : job.kernels.fused_full;
    return Operation(
        launch->bind(step.chunk, host.inputs(job, step.chunk), host.outputs(job, step.chunk)),
        label);
  }
  return Operation(fused_launch(words(host.in(step)), words(host.out(step)),
                                {.in_count = step.in_bytes / word_bytes,
                                 .chunk_count = step.in_bytes / word_bytes,
                                 .result_count = step.out_bytes / word_bytes,
                                 .depth = job.workload.depth,
                                 .rounds = step.rounds}),
                   label);
}

Operation fused(const Job& job, const MappedHost& host) {
  const Step& first = job.steps.front();
  return Operation(fused_launch(words(host.in(first)), words(host.out(first)),
                                {.in_count = job.workload.bytes / word_bytes,
                                 .chunk_count = job.workload.chunk_bytes / word_bytes,
                                 .result_count = job.workload.result_bytes / word_bytes,
                                 .depth = job.workload.depth,
                                 .rounds = job.workload.rounds}));
}

}  // namespace trilane
