// What verdicts and workloads are called, and the verdicts in sentences.
#pragma once

#include <string>

#include "common/diff/change.hpp"

namespace trilane {

/// "SAME", "FASTER", "SLOWER", "UNSURE", "LOST", "-".
const char* name_of(Verdict verdict);

/// "launch", "launch, pageable, block": the comparison among those of its run.
std::string label_of(const Comparison& comparison);

/// "launch: 1 SLOWER (graph 0.953); 3 SAME; 1 UNSURE." with the speeds of what changed; of a
/// workload, and of all.
std::string verdict(const WorkloadChange& workload);
std::string verdict(const RunChange& runs);

}  // namespace trilane
