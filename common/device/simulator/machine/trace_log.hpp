// What a tracer sees of the simulated device.
#pragma once

#include <cstdint>
#include <vector>

#include "common/device/records.hpp"
#include "common/device/simulator/operations/device_operation.hpp"

namespace trilane::simulator {

/// Notes what is issued. When it ran is read off the operations later, when the timeline has worked
/// it out: a trace asks for nothing earlier than an untraced run does, so it changes no time.
class TraceLog {
 public:
  /// A call of this thread begins or ends, at `us` of the host's clock. What is issued between is
  /// its; there is one at a time, see turns.hpp.
  void begin_call(const char* name, double us);
  void end_call(double us);

  /// The call has issued an operation. Those that are no Activity are left out.
  void issued(const OperationPtr& operation);

  /// All since it was last asked. What is not finished comes the next time.
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
