// A kernel that keeps the device busy for a known time, so that calls can be tried beside it.
#pragma once

#include <cstdint>

#include "common/measure/gpu/runtime/handles.hpp"
#include "common/model/workload/steps/steps.hpp"

namespace trilane {

/// How much of the device a kernel takes.
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

  /// What it takes with its launch and the wait for it, in microseconds.
  double wall_us(cudaStream_t stream) const;

 private:
  PinnedBuffer host_;
  Job job_;
  DeviceBuffer in_, out_;
  Step step_;
};

}  // namespace trilane
