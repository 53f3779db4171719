// The GPUs of a pass's lanes, and which of them is current.
#pragma once

#include <cuda_runtime_api.h>

#include "common/measure/gpu/runtime/check.hpp"
#include "common/model/workload/workload.hpp"

namespace trilane {

/// The home of each lane: the GPU of its stream, events and memory. Work may only be launched into
/// a stream of the calling thread's current GPU, and memory is allocated there.
class Homes {
 public:
  /// All lanes live on the current GPU.
  Homes() = default;
  /// Lane after lane lives on the next of the workload's GPUs, if it is split.
  explicit Homes(const Workload& workload)
      : gpus_(workload.gpus.value_or(std::vector<std::uint32_t>{})) {
    if (is_split()) gpus_.resize(workload.gpu_count());
  }

  bool is_split() const { return !gpus_.empty(); }

  std::uint32_t count() const { return std::max(1u, static_cast<std::uint32_t>(gpus_.size())); }

  /// Makes the lane's home current for this thread. Throws CudaError.
  void enter(std::uint32_t lane) const {
    if (is_split()) check(cudaSetDevice(static_cast<int>(gpus_[lane % gpus_.size()])));
  }

  /// Makes the GPU of the first lane and of the origin stream current again. Throws CudaError.
  void leave() const { enter(0); }

  /// Waits for all work on all of these GPUs, and leaves. Ignores errors.
  void wait() const noexcept {
    for (const std::uint32_t gpu : gpus_) {
      if (cudaSetDevice(static_cast<int>(gpu)) == cudaSuccess) cudaDeviceSynchronize();
    }
    if (is_split()) cudaSetDevice(static_cast<int>(gpus_.front()));
    cudaDeviceSynchronize();
  }

 private:
  std::vector<std::uint32_t> gpus_;
};

}  // namespace trilane
