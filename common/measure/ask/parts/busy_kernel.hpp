// A kernel of known duration that keeps the device busy while calls are tried beside it.
#pragma once

#include <cstdint>

#include "common/measure/gpu/runtime/handles.hpp"
#include "common/model/workload/steps/steps.hpp"

namespace trilane {

/// The share of the device that a kernel occupies.
enum class Extent {
  one_block,  ///< leaves nearly all SMs idle
  all_sms,    ///< as many threads as an H200 holds at once
};

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

}  // namespace trilane
