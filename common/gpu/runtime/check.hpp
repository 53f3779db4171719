// The one place where CUDA's error codes become exceptions.
#pragma once

#include <driver_types.h>

#include <source_location>
#include <stdexcept>
#include <string>

namespace trilane {

/// A CUDA call that failed: the code, and a message with its name, its meaning and the place.
class CudaError : public std::runtime_error {
 public:
  CudaError(cudaError_t code, const std::source_location& place);
  cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

/// Throws CudaError unless `code` is cudaSuccess. Every CUDA call that can fail goes through it.
void check(cudaError_t code, const std::source_location& place = std::source_location::current());

/// The form for destructors, which may not throw: prints one warning line to stderr, once for
/// the same code in a row. A release that fails counts as released.
void warn(cudaError_t code,
          const std::source_location& place = std::source_location::current()) noexcept;

/// After an error: whether it is sticky. An error that is not is reported once; a sticky one by
/// every later call, and no reset of the device cures it in this process.
bool is_lost();

}  // namespace trilane
