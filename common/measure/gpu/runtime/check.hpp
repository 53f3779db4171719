// The one place where CUDA's error codes become exceptions.
#pragma once

#include <driver_types.h>

#include <source_location>

#include "common/std.hpp"

namespace trilane {

/// A failed CUDA call: its code, and a message with the code's name, its meaning and the place.
class CudaError : public std::runtime_error {
 public:
  CudaError(cudaError_t code, const std::source_location& place);
  cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

/// Throws OutOfMemory for cudaErrorMemoryAllocation, and CudaError for other codes except
/// cudaSuccess. Every CUDA call that can fail passes its result here.
void check(cudaError_t code, const std::source_location& place = std::source_location::current());

/// Returns an attribute of the current device. Throws CudaError.
int device_attribute(cudaDeviceAttr name);

/// Prints a warning line to stderr, unless the same code was the last. For destructors, which may
/// not throw. A failed release counts as released.
void warn(cudaError_t code,
          const std::source_location& place = std::source_location::current()) noexcept;

/// Waits for the device during exception unwinding; otherwise does nothing. For destructors, before
/// they release what queued work may still use, because nothing has waited for that work.
void wait_if_unwinding() noexcept;

/// Returns true if the latest error is sticky: every later call in this process returns it, even
/// after a device reset. Other errors are returned once.
bool is_lost();

}  // namespace trilane
