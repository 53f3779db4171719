// The shared library of stacks.cpp.
#include <cupti.h>

void wait_in_library(void (*make)(CUpti_CallbackId, const void*, int, CUresult)) {
  const cuStreamSynchronize_params wait{};
  make(CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize, &wait, 0, CUDA_SUCCESS);
  make(CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize, &wait, 1, CUDA_SUCCESS);  // mark: library
  asm volatile("");
}
