// Knobs on the workload of a pipeline file: its items and chunks, lanes and order.
#pragma once

#include <string>

#include "common/model/workload/knobs.hpp"

namespace trilane {

/// Applies turned() to a pipeline file's workload: --size and --chunk-size set its input, for as
/// many items as fit; results and kernels are as the file states them.
Workload turned_pipeline(const Workload& workload, const Knobs& knobs);

/// Returns the reason why no pipeline file can state the pipeline from a results file; empty if one
/// can.
std::string flaw_of(const Pipeline& pipeline);

}  // namespace trilane
