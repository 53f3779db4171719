// Reads the options that define workloads.
#pragma once

#include <vector>

#include "common/commands/options/given.hpp"
#include "common/workload/knobs.hpp"
#include "common/workload/workload.hpp"

namespace trilane {

/// The named presets (default: all) with the knobs applied, once for each number of chunks. With
/// knobs but no preset: a workload called custom, made from balanced. Throws UsageError.
std::vector<Workload> chosen_workloads(const Given& given);

/// The given knobs, each within its own range. Throws UsageError.
Knobs read_knobs(const Given& given);

/// The workload that a sweep modifies: the named preset or custom, before any knob is applied.
/// Throws UsageError if several presets were named.
Workload sweep_base(const Given& given);

}  // namespace trilane
