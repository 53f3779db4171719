// Records of a trace: operations on the device, and calls on the host.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/base/text/enumerators.hpp"
#include "common/device/flavour/label.hpp"

namespace trilane {

/// The kind of an operation. A copy or memset done by a kernel is a kernel.
enum class Activity : std::uint8_t { copy_in, copy_out, memset, kernel };
BOOST_DESCRIBE_ENUM(Activity, copy_in, copy_out, memset, kernel)

/// An operation on the device. Times are microseconds on the tracer's clock.
struct TracedOperation {
  Activity activity = Activity::kernel;
  std::string name;  ///< of the kernel; otherwise "copy in", "copy out" or "memset"
  double start_us = 0, end_us = 0;
  std::uint64_t bytes = 0;       ///< copied or set
  std::uint64_t call = 0;        ///< TracedCall::id of the issuing call
  std::uint32_t stream = 0;      ///< the tracer's number for it
  std::uint64_t graph_node = 0;  ///< 0: enqueued on a stream
  bool copy_engine = false;      ///< it ran on a copy engine, not on the SMs
  Label label{};
};

/// A call to the runtime.
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
  std::uint64_t lost = 0;  ///< number of records dropped for lack of room
};

}  // namespace trilane
