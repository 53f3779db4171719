// Summarises the traced passes of a variant for the results.
#pragma once

#include <vector>

#include "common/explain/analysis/trace/traced_pass.hpp"
#include "common/model/results/timeline.hpp"

namespace trilane {

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
