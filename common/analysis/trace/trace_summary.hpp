// What goes into the results of a variant's traced passes.
#pragma once

#include "common/analysis/trace/traced_pass.hpp"
#include "common/results/timeline.hpp"

namespace trilane {

/// "copies", "memsets" and "kernels" that a pass does by its plan.
std::vector<Count> planned_operations(const Plan& plan, const Workload& workload);

/// The same, seen in a pass.
std::vector<Count> operations_of(const TracedPass& pass);

/// Throws std::runtime_error where a trace is no picture of its passes: records were lost, or a
/// pass has no operation or not both of its events, or other operations than `planned`.
Timeline timeline_of(const VariantTrace& trace, const std::vector<Count>& planned);

/// "copy in", "copy out", "memset", "kernel".
const char* name_of(Activity activity);

}  // namespace trilane
