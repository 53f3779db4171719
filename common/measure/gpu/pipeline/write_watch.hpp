// Finds kernels that write outside of their declared outputs.
#pragma once

#include <vector>

#include "common/measure/gpu/pipeline/serial_run.hpp"

namespace trilane {

/// Compares the device memory of a chunk before and after each kernel, outside of the buffers
/// declared as out or inout.
class WriteWatch {
 public:
  void before(const SerialRun& run, const Step& step);

  /// Throws WrongResult that names the kernel and the buffer that it wrote, or wrote past.
  void after(const SerialRun& run, const Step& step);

 private:
  std::vector<std::byte> before_;
};

}  // namespace trilane
