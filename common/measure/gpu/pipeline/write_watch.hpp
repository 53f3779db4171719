// Finds kernels that write where they do not say so.
#pragma once

#include <vector>

#include "common/measure/gpu/pipeline/serial_run.hpp"

namespace trilane {

/// Compares the device memory of a chunk before and after each kernel, outside of the buffers that
/// the kernel declares as out or inout.
class WriteWatch {
 public:
  void before(const SerialRun& run, const Step& step);

  /// Throws WrongResult that names the kernel, and the buffer that it wrote or wrote behind.
  void after(const SerialRun& run, const Step& step);

 private:
  std::vector<std::byte> before_;
};

}  // namespace trilane
