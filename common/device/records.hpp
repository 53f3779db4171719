// What is seen of passes while they are traced: operations on the device, calls on the host.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/device/label.hpp"

namespace trilane {

/// What the device does. Copies and memsets that kernels do are kernels.
enum class Activity : std::uint8_t { copy_in, copy_out, memset, kernel };

/// One operation on the device. Times are microseconds on the tracer's clock.
struct TracedOperation {
  Activity activity = Activity::kernel;
  std::string name;  ///< the kernel's; "copy in", "copy out", "memset"
  double start_us = 0, end_us = 0;
  std::uint64_t bytes = 0;       ///< copied or set
  std::uint64_t call = 0;        ///< TracedCall::id of the call that issued it
  std::uint32_t stream = 0;      ///< as the tracer numbers them
  std::uint64_t graph_node = 0;  ///< 0: enqueued on a stream
  bool copy_engine = false;      ///< it ran on a copy engine; otherwise on the SMs
  Label label{};
};

/// One call to the runtime, and what it was for.
struct TracedCall {
  std::uint64_t id = 0;
  std::string name;  ///< "cudaMemcpyAsync"
  double start_us = 0, end_us = 0;
  std::uint64_t thread = 0;
  Label label{};
};

struct TraceRecords {
  std::vector<TracedOperation> operations;
  std::vector<TracedCall> calls;
  std::uint64_t lost = 0;  ///< records that found no room
};

}  // namespace trilane
