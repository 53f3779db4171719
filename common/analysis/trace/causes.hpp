// Why engines were idle, and what operations waited for.
#pragma once

#include <string>
#include <vector>

#include "common/analysis/trace/intervals.hpp"
#include "common/analysis/trace/traced_pass.hpp"

namespace trilane {

/// The engine that runs an operation: "copy in" and "copy out" are the copy engines; "compute" runs
/// kernels, memsets, and copies too small for a copy engine.
std::string engine_of(const TracedOperation& operation);

/// Idle or waiting time by cause, in microseconds.
struct Causes {
  double host_us = 0;        ///< the call that issues the operation had not returned
  double dependency_us = 0;  ///< the operation before it on its lane or stream had not ended
  double engine_us = 0;      ///< its engine had other operations to run
  double latency_us = 0;     ///< no cause in the trace
};

/// How an engine spent the time from the first start to the last end in a pass.
struct EngineUse {
  std::string engine;
  double busy_us = 0;  ///< at least one of its operations was running
  Causes idle;         ///< gaps, by what the next operation waited for longest
  double done_us = 0;  ///< after its last operation
};

/// What the operations of one activity waited for, summed. An operation waits from the end of the
/// one before it on its lane; the first on a lane waits from the first start in the pass.
struct WaitsOf {
  Activity activity = Activity::kernel;
  Causes waits;
};

/// One entry per engine that ran something, in the order copy in, compute, copy out.
std::vector<EngineUse> engine_uses(const TracedPass& pass);

/// One entry per activity in the pass.
std::vector<WaitsOf> waits_of(const TracedPass& pass);

}  // namespace trilane
