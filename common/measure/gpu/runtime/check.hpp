// The one place where CUDA's error codes become exceptions.
#pragma once

#include <driver_types.h>

#include <source_location>
#include <stdexcept>

namespace trilane {

/// A failed CUDA call: its code, and a message with the code's name, its meaning and the place.
class CudaError : public std::runtime_error {
 public:
  CudaError(cudaError_t code, const std::source_location& place);
  cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

/// Throws OutOfMemory for cudaErrorMemoryAllocation, and CudaError unless `code` is cudaSuccess.
/// Every CUDA call that can fail goes through it.
void check(cudaError_t code, const std::source_location& place = std::source_location::current());

/// For destructors, which may not throw: prints one warning line to stderr, and none for the same
/// code in a row. A failed release counts as released.
void warn(cudaError_t code,
          const std::source_location& place = std::source_location::current()) noexcept;

/// For destructors, before they release what queued work may still use: while an exception unwinds,
/// nobody has waited for that work. Waits for the device then, and otherwise does nothing.
void wait_if_unwinding() noexcept;

/// Whether the latest error is sticky: every later call in this process returns it, and resetting
/// the device does not help. Other errors are reported once.
bool is_lost();

}  // namespace trilane
