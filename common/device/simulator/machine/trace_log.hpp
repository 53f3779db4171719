// The log of a tracer of the simulated device.
#pragma once

#include <cstdint>
#include <vector>

#include "common/device/flavour/records.hpp"
#include "common/device/simulator/operations/device_operation.hpp"

namespace trilane::simulator {

/// Notes what is issued. Times are read from the operations later, when the timeline has computed
/// them, so tracing changes no time.
class TraceLog {
 public:
  /// A call of this thread begins or ends, at `us` on the host's clock. All that is issued in
  /// between belongs to it, because there is one call at a time (host_threads.hpp).
  void begin_call(const char* name, double us);
  void end_call(double us);

  /// The current call has issued an operation. Operations that are no Activity are left out.
  void issued(const OperationPtr& operation);

  /// The records since the last call. Unfinished operations come the next time. The copies of a
  /// batch in one direction are one record, as CUPTI has it, from the first start to the last end.
  TraceRecords take();

 private:
  struct Issued {
    std::uint64_t call;
    OperationPtr operation;
  };

  std::uint64_t last_call_ = 0;
  std::vector<TracedCall> calls_;
  std::vector<Issued> issued_;
};

}  // namespace trilane::simulator
