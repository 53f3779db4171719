// Names of verdicts and workloads, and verdicts in sentences.
#pragma once

#include <string>

#include "common/diff/change.hpp"

namespace trilane {

/// "SAME", "FASTER", "SLOWER", "UNSURE", "LOST", "-".
const char* name_of(Verdict verdict);

/// "launch", "launch, pageable, block": the name of a comparison within its run.
std::string label_of(const Comparison& comparison);

/// "launch: 1 SLOWER (graph 0.953); 3 SAME; 1 UNSURE.": how many variants of a workload, or of all,
/// have each verdict, with the speeds of those that changed.
std::string verdict(const WorkloadChange& workload);
std::string verdict(const RunChange& runs);

}  // namespace trilane
