// Why an engine was idle, and what operations waited for.
#pragma once

#include <string>
#include <vector>

#include "common/analysis/trace/intervals.hpp"
#include "common/analysis/trace/traced_pass.hpp"

namespace trilane {

/// What runs an operation: "copy in" and "copy out", the copy engines of the two directions; and
/// "compute", which runs kernels, memsets, and copies that are too small for a copy engine.
std::string engine_of(const TracedOperation& operation);

/// Microseconds by cause.
struct Causes {
  double host_us = 0;        ///< the call that issues the next operation had not returned
  double dependency_us = 0;  ///< the operation before it on its lane or stream had not ended
  double engine_us = 0;      ///< its engine had other operations to run
  double latency_us = 0;     ///< nothing that the trace shows held it back
};

/// An engine between the first start and the last end of a pass.
struct EngineUse {
  std::string engine;
  double busy_us = 0;  ///< at least one of its operations was running
  Causes idle;         ///< gaps, by what the next operation on it was waiting for longest
  double done_us = 0;  ///< after its last operation
};

/// What the operations of one activity waited for, from the end of the one before on their lane
/// (of the first: from the first start of the pass) to their own start, summed.
struct WaitsOf {
  Activity activity = Activity::kernel;
  Causes waits;
};

/// Of each engine that ran something, in the order copy in, compute, copy out.
std::vector<EngineUse> engine_uses(const TracedPass& pass);

/// Of each activity that there was.
std::vector<WaitsOf> waits_of(const TracedPass& pass);

}  // namespace trilane
