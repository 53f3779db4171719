// For kernels that may start before the kernel in front of them ends (programmatic dependent
// launch). Does nothing in a plain launch, and below compute capability 9.0. In PTX, because
// NVRTC does not know cudaTriggerProgrammaticLaunchCompletion and cudaGridDependencySynchronize.
#pragma once

namespace trilane {

/// The kernel behind this one may start once every block has called this or has ended.
__device__ inline void let_next_start() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" :::);
#endif
}

/// Waits until the kernel in front of this one has ended and what it wrote can be seen. A kernel
/// ends after those in front of it only if one of its threads calls this.
__device__ inline void wait_for_kernel_in_front() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

}  // namespace trilane
