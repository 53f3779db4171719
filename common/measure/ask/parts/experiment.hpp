// Parts of experiments: a kernel that keeps the device busy, copies, pools and graphs. The header
// includes everything that most questions need.
#pragma once

#include <cuda_runtime_api.h>

#include "common/base/text/size.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/measure/ask/question.hpp"
#include "common/measure/gpu/runtime/handles.hpp"
#include "common/model/workload/steps.hpp"

namespace trilane {

/// The share of the device that a kernel occupies.
enum class Extent {
  one_block,  ///< leaves nearly all SMs idle
  all_sms,    ///< as many threads as an H200 holds at once
};

/// A kernel of known duration that keeps the device busy while calls are tried beside it.
class BusyKernel {
 public:
  /// Finds the rounds for a kernel of about `us` microseconds.
  explicit BusyKernel(double us, Extent extent = Extent::one_block);

  /// Launches it.
  void enqueue(cudaStream_t stream) const;

  /// Returns its wall time in microseconds, with launch and wait.
  double wall_us(cudaStream_t stream) const;

 private:
  PinnedBuffer host_;
  Job job_;
  DeviceBuffer in_, out_;
  Step step_;
};

/// Enqueue a copy.
void copy_to_device(void* device, const void* host, std::uint64_t bytes, cudaStream_t stream);
void copy_to_host(void* host, const void* device, std::uint64_t bytes, cudaStream_t stream);

/// Returns the number of bytes with that value.
double count_of(const std::byte* memory, std::uint64_t bytes, int value);

}  // namespace trilane
