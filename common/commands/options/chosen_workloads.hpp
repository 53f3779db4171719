// From the command line to the workloads.
#pragma once

#include <vector>

#include "common/commands/options/given.hpp"
#include "common/workload/knobs.hpp"
#include "common/workload/workload.hpp"

namespace trilane {

/// The presets that were named, all by default, with the knobs turned; or, where knobs were turned
/// and no preset named, one workload called custom that starts from balanced. Each of them once for
/// every number of chunks. Throws UsageError.
std::vector<Workload> chosen_workloads(const Given& given);

/// The knobs as they were given, each within its own limits. Throws UsageError.
Knobs read_knobs(const Given& given);

/// The one workload whose knobs a sweep turns, before any is turned: the preset that was named, or
/// custom. Throws UsageError when several were.
Workload sweep_base(const Given& given);

}  // namespace trilane
