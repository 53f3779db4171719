// The stages as kernels that access mapped host memory directly.
#pragma once

#include "common/measure/gpu/stages.hpp"

namespace trilane {

/// The device addresses of the job's host buffers.
class MappedHost {
 public:
  /// Throws CudaError if the buffers are not mapped.
  explicit MappedHost(const Job& job);

  /// Return the step's input and output at their device addresses.
  std::byte* in(const Step& step) const { return const_cast<std::byte*>(step.host_in) + in_shift_; }
  std::byte* out(const Step& step) const { return step.host_out + out_shift_; }

  /// Return the chunk's inputs and its outputs, by buffer, at their device addresses.
  Scratch inputs(const Job& job, std::uint32_t chunk) const;
  Scratch outputs(const Job& job, std::uint32_t chunk) const;

 private:
  std::ptrdiff_t in_shift_, out_shift_;  // zero if host and device share addresses
};

/// Returns the step as operation_of() does, with copies and memsets done by kernels.
Operation operation_by_kernels(const Step& step, const MappedHost& host, const Scratch& scratch);

/// Returns one kernel for all stages of the step's chunk, from host memory to host memory.
Operation fused(const Job& job, const Step& step, const MappedHost& host);
/// Returns one kernel for all stages of all chunks.
Operation fused(const Job& job, const MappedHost& host);

}  // namespace trilane
