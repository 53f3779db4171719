// The tracer of the simulated device: complete, and free in virtual time.
#pragma once

#include "common/device/simulator/operations/device_operation.hpp"

namespace trilane::simulator {

/// Records issued operations, and reads their times later: tracing changes none.
class TraceLog final : public Tracer {
 public:
  /// Begins to log what the machine does. Throws NotPossible while another one lives.
  TraceLog();
  ~TraceLog() override;

  double now_us() override;

  /// Begin and end a call of this thread, at `us` on the host's clock. Everything issued in between
  /// belongs to it, because there is one call at a time (see Hold).
  void begin_call(const char* name, double us);
  void end_call(double us) { calls_.back().end_us = us; }

  /// Records an operation issued by the current call. Operations that are no Activity are left out.
  void issued(const OperationPtr& operation);

  /// Unfinished operations follow the next time. A batch's copies in one direction are one record,
  /// as in CUPTI, from the first start to the last end.
  TraceRecords take() override;

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
