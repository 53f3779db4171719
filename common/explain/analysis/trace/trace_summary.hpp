// Summarises the traced passes of a variant for the results: what overlapped, why engines were
// idle, and what operations waited for.
#pragma once

#include <boost/icl/interval_set.hpp>

#include "common/explain/analysis/trace/traced_pass.hpp"
#include "common/model/results/timeline.hpp"

namespace trilane {

/// An interval of time in microseconds, and a union of such, which joins those that touch.
using Interval = boost::icl::right_open_interval<double>;
using Intervals = boost::icl::interval_set<double, std::less, Interval>;

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

/// Returns one entry per activity in the pass. A lane's first operation waits from the first start.
std::vector<TimelineWaits> waits_of(const TracedPass& pass);

/// Returns the "copies", "memsets" and "kernels" of a pass according to the plan's model.
std::vector<Count> planned_operations(const Plan& plan, const Workload& workload);

/// Returns the same counts of a traced pass.
std::vector<Count> operations_of(const TracedPass& pass);

/// Returns the summary. Throws std::runtime_error if the trace is incomplete: records were lost, a
/// pass lacks operations or markers, or its operations differ from `planned`.
Timeline timeline_of(const VariantTrace& trace, const std::vector<Count>& planned);

/// Returns one entry per ordered pair of activities in the pass, including each with itself. An
/// operation for the whole pass counts as on a lane of its own.
std::vector<TimelineOverlap> overlaps(const TracedPass& pass);

}  // namespace trilane
