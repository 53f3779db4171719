// The stages as kernels that access mapped host memory directly.
#pragma once

#include <cstddef>

#include "common/gpu/stages/stages.hpp"
#include "common/workload/steps.hpp"

namespace trilane {

/// The device addresses of the job's host buffers.
class MappedHost {
 public:
  /// Throws CudaError if the buffers are not mapped.
  explicit MappedHost(const Job& job);

  /// The step's input and output at their device addresses.
  std::byte* in(const Step& step) const { return const_cast<std::byte*>(step.host_in) + in_shift_; }
  std::byte* out(const Step& step) const { return step.host_out + out_shift_; }

 private:
  std::ptrdiff_t in_shift_, out_shift_;  // zero where host and device share addresses
};

/// The chunk's input from the host into its scratch, by a kernel.
Operation copy_in_by_kernel(const Step& step, const MappedHost& host, const Scratch& scratch);
/// The chunk's result set to zero, by a kernel.
Operation clear_by_kernel(const Step& step, const Scratch& scratch);
/// The chunk's result from its scratch to the host, by a kernel.
Operation copy_out_by_kernel(const Step& step, const MappedHost& host, const Scratch& scratch);

/// All stages of the step's chunk in one kernel, from host memory to host memory.
Operation fused(const Step& step, const MappedHost& host, std::uint32_t depth);
/// All stages of all chunks in one kernel.
Operation fused(const Job& job, const MappedHost& host);

}  // namespace trilane
