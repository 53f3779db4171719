// Finds why engines were idle, and what operations waited for.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "common/explain/analysis/trace/traced_pass.hpp"
#include "common/model/results/timeline.hpp"

namespace trilane {

/// The copy engines; "compute" runs kernels, memsets, and copies too small for a copy engine.
inline constexpr std::array engine_names{"copy in", "compute", "copy out"};

using OperationList = std::vector<const TracedOperation*>;

/// Returns the operations of each used engine, in the order of the pass.
std::map<std::string, OperationList> by_engine(const TracedPass& pass);

/// An engine's use of the time from the first start to the last end in a pass.
struct EngineUse {
  TimelineBusy busy;  ///< at least one of its operations was running
  TimelineIdle idle;  ///< gaps, by what the next operation waited for longest
};

/// Returns one entry per used engine, in the order of engine_names.
std::vector<EngineUse> engine_uses(const TracedPass& pass);

/// Returns one entry per activity in the pass. The first operation on a lane waits from the first
/// start in the pass.
std::vector<TimelineWaits> waits_of(const TracedPass& pass);

}  // namespace trilane
