// From the command line to the workloads.
#pragma once

#include <vector>

#include "common/options/given.hpp"
#include "common/workload/workload.hpp"

namespace trilane {

/// The presets that were named, all by default, with the knobs turned; or, where knobs were turned
/// and no preset named, one workload called custom that starts from balanced. Throws UsageError.
std::vector<Workload> chosen_workloads(const Given& given);

}  // namespace trilane
