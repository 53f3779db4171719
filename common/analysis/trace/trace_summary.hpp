// What goes into the results of a variant's traced passes.
#pragma once

#include "common/analysis/trace/traced_pass.hpp"
#include "common/results/timeline.hpp"

namespace trilane {

/// "copies", "memsets" and "kernels" that a pass does by its plan: nodes of its graph, or calls.
std::vector<Count> planned_operations(const Plan& plan);

/// The same, seen in a pass.
std::vector<Count> operations_of(const TracedPass& pass);

/// Throws std::runtime_error where a trace is no picture of its passes: records were lost, or a
/// pass has no operation or not both of its events, or operations that the plan does not have.
Timeline timeline_of(const VariantTrace& trace, const Plan& plan);

/// "copy in", "copy out", "memset", "kernel".
const char* name_of(Activity activity);

}  // namespace trilane
