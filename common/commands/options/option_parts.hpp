// Parts of reading the command line: which options go together, and what each group of them means.
#pragma once

#include <string>
#include <vector>

#include "common/commands/options/given.hpp"
#include "common/diff/diff_runs.hpp"
#include "common/processes/by_setting.hpp"
#include "common/sweep/map/sweep_request.hpp"
#include "common/workload/knobs.hpp"
#include "common/workload/workload.hpp"

namespace trilane {

/// Throws UsageError, with the value and how to fix it, if options exclude each other or need the
/// simulated device and this program has none. Values need not be valid yet.
void check_conflicts(const Given& given, bool simulated);

/// Throws UsageError if two outputs, or an output and an input, are the same file, also through
/// other spellings and symbolic links: --force must not overwrite the run's own input.
void check_files(const Given& given);

/// The named presets, all by default, with the knobs applied; or, if knobs but no preset are given,
/// one workload called custom that starts from balanced. Each of them once for every number of
/// chunks. Throws UsageError.
std::vector<Workload> chosen_workloads(const Given& given);

/// The given knobs, each within its own limits. Throws UsageError.
Knobs read_knobs(const Given& given);

/// The one workload whose knobs a sweep changes, before any change: the named preset, or custom.
/// Throws UsageError if several presets are named.
Workload sweep_base(const Given& given);

/// --host-memory and --wait: each named kind of memory with each named way to wait, the defaults
/// first. Throws UsageError.
std::vector<Setting> chosen_settings(const Given& given);

/// Reads --sweep, which must be given. Throws UsageError.
SweepRequest read_sweep(const Given& given);

/// The variants that a sweep compares without --variant: those of `known` that a user would choose
/// between, or all if there are none.
std::vector<std::string> main_variants(const std::vector<std::string>& known);

/// Throws UsageError if --compare is given with other options than its own, or one of its own
/// without it.
void check_diff(const Given& given);

/// Reads --compare, which must be given. Throws UsageError.
DiffRequest read_diff(const Given& given);

}  // namespace trilane
