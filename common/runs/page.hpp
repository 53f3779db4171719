// What a person reads of two runs.
#pragma once

#include <string>

#include "common/runs/change.hpp"

namespace trilane {

/// What the runs were and what differed around them, how to read the verdicts, a table per workload
/// and the verdicts in words; at most 80 columns, but for variants with longer names.
std::string page(const RunChange& runs);

/// "launch: 1 SLOWER (graph, 0.953 times as fast); 3 SAME; 1 UNSURE."; of a workload, and of all.
std::string verdict(const WorkloadChange& workload);
std::string verdict(const RunChange& runs);

}  // namespace trilane
