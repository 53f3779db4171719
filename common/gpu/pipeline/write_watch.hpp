// Finds kernels that write where they do not say so.
#pragma once

#include <vector>

#include "common/gpu/pipeline/serial_run.hpp"

namespace trilane {

/// Compares the device memory of a chunk before and after each kernel, outside of the buffers that
/// the kernel declares as out or inout.
class WriteWatch {
 public:
  explicit WriteWatch(const SerialRun& run);

  void before(const Step& step);

  /// Throws WrongResult that names the kernel, and the buffer that it wrote or wrote behind.
  void after(const Step& step);

 private:
  std::vector<std::byte> content() const;
  void complain(const Step& step, std::uint64_t first, std::uint64_t bytes) const;

  const SerialRun& run_;
  std::vector<std::byte> before_;
};

}  // namespace trilane
