#include "common/measure/ask/parts/experiment.hpp"

#include "common/measure/gpu/stages.hpp"
#include "common/measure/harness/probe.hpp"

namespace trilane {
namespace {

/// Returns the kernel's bytes. A thread processes four words: one block of 256 threads, or 2,048
/// threads on each of 132 SMs.
std::uint64_t bytes_of(Extent extent) {
  switch (extent) {
    case Extent::one_block: return 4 << 10;
    case Extent::all_sms: return std::uint64_t{132} * 2048 * 16;
  }
  return 0;
}

Workload one_kernel(Extent extent) {
  Workload workload;
  workload.name = "custom";
  workload.bytes = workload.chunk_bytes = workload.result_bytes = bytes_of(extent);
  return workload;
}

}  // namespace

BusyKernel::BusyKernel(double us, Extent extent)
    : host_(make_pinned_buffer(2 * bytes_of(extent))),
      job_(one_kernel(extent), host_.get(), host_.get() + bytes_of(extent)),
      in_(make_device_buffer(bytes_of(extent))),
      out_(make_device_buffer(bytes_of(extent))),
      step_(*std::ranges::find(job_.steps, Stage::transform, &Step::stage)) {
  std::fill_n(host_.get(), 2 * bytes_of(extent), std::byte{});
  step_.rounds = rounds_for(job_, us);
  check(cudaMemset(in_.get(), 0, bytes_of(extent)));
  check(cudaMemset(out_.get(), 0, bytes_of(extent)));
  check(cudaDeviceSynchronize());
}

void BusyKernel::enqueue(cudaStream_t stream) const {
  transform(step_, Scratch{{in_.get(), out_.get()}}).enqueue(stream);
}

double BusyKernel::wall_us(cudaStream_t stream) const {
  return timed_us([&] {
    enqueue(stream);
    check(cudaStreamSynchronize(stream));
  });
}

void copy_to_device(void* device, const void* host, std::uint64_t bytes, cudaStream_t stream) {
  check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream));
}

void copy_to_host(void* host, const void* device, std::uint64_t bytes, cudaStream_t stream) {
  check(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream));
}

double count_of(const std::byte* memory, std::uint64_t bytes, int value) {
  return static_cast<double>(std::count(memory, memory + bytes, std::byte(value)));
}

}  // namespace trilane
