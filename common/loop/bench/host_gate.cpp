#include "common/loop/bench/host_gate.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <atomic>

namespace trilane {

HostGate::HostGate() : memory_(make_pinned_buffer(sizeof(std::uint32_t))) {
  std::fill_n(memory_.get(), sizeof(std::uint32_t), std::byte{});
}

void HostGate::close(cudaStream_t stream) {
  if (!works()) return;
  void* word = nullptr;
  check(cudaHostGetDevicePointer(&word, memory_.get(), 0));
  const CUresult result =
      wait_(stream, reinterpret_cast<CUdeviceptr>(word), closed_ + 1, CU_STREAM_WAIT_VALUE_GEQ);
  check(static_cast<cudaError_t>(result));  // both number their errors alike
  ++closed_;
}

void HostGate::open() {
  const std::atomic_ref word(*reinterpret_cast<std::uint32_t*>(memory_.get()));
  word.store(closed_, std::memory_order_release);
}

}  // namespace trilane
