#include "common/gpu/mapped.hpp"

#include <cuda_runtime_api.h>

#include "common/gpu/runtime/check.hpp"
#include "kernels/fused.hpp"
#include "kernels/move.hpp"

namespace trilane {

namespace {

constexpr std::uint64_t word = sizeof(std::uint32_t);

std::uint32_t* words(std::byte* bytes) { return reinterpret_cast<std::uint32_t*>(bytes); }

std::ptrdiff_t shift_of(const std::byte* host) {
  void* device = nullptr;
  check(cudaHostGetDevicePointer(&device, const_cast<std::byte*>(host), 0));
  return static_cast<std::byte*>(device) - host;
}

}  // namespace

MappedHost::MappedHost(const Job& job)
    : in_shift_(shift_of(job.host_in)), out_shift_(shift_of(job.host_out)) {}

Operation copy_in_by_kernel(const Step& step, const MappedHost& host, const Scratch& scratch) {
  return Operation(copy_launch(words(host.in(step)), words(scratch.in), step.in_bytes / word),
                   {step.chunk, step.lane});
}

Operation clear_by_kernel(const Step& step, const Scratch& scratch) {
  return Operation(clear_launch(words(scratch.out), step.out_bytes / word),
                   {step.chunk, step.lane});
}

Operation copy_out_by_kernel(const Step& step, const MappedHost& host, const Scratch& scratch) {
  return Operation(copy_launch(words(scratch.out), words(host.out(step)), step.out_bytes / word),
                   {step.chunk, step.lane});
}

Operation fused(const Step& step, const MappedHost& host, std::uint32_t depth) {
  return Operation(fused_launch(words(host.in(step)), words(host.out(step)),
                                {.in_count = step.in_bytes / word,
                                 .chunk_count = step.in_bytes / word,
                                 .result_count = step.out_bytes / word,
                                 .depth = depth,
                                 .rounds = step.rounds}),
                   {step.chunk, step.lane});
}

Operation fused(const Job& job, const MappedHost& host) {
  const Step& first = job.steps.front();
  return Operation(fused_launch(words(host.in(first)), words(host.out(first)),
                                {.in_count = job.workload.bytes / word,
                                 .chunk_count = job.workload.chunk_bytes / word,
                                 .result_count = job.workload.result_bytes / word,
                                 .depth = job.workload.depth,
                                 .rounds = job.workload.rounds}));
}

}  // namespace trilane
