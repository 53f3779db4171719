// For kernels that may start before the preceding kernel ends (programmatic dependent launch). Has
// no effect in a plain launch, and below compute capability 9.0. Written in PTX, because NVRTC
// lacks cudaTriggerProgrammaticLaunchCompletion and cudaGridDependencySynchronize.
#pragma once

namespace trilane {

/// Lets the next kernel start once every block has called this or has ended.
__device__ inline void let_next_start() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" :::);
#endif
}

/// Waits until the preceding kernel has ended and its writes are visible. A kernel ends after those
/// before it only if one of its threads calls this.
__device__ inline void wait_for_kernel_in_front() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

}  // namespace trilane
