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

/// Throws UsageError, naming the value and the way out, when options were given that exclude each
/// other, or that a program without the simulated device has not. Values need not be valid yet.
void check_conflicts(const Given& given, bool simulated);

/// Throws UsageError when two outputs have one file, or an output has that of an input: --force
/// replaces what is in the way, not what the run is about. Names are the same when they lead to one
/// file, whatever their spelling and through symbolic links.
void check_files(const Given& given);

/// The presets that were named, all by default, with the knobs turned; or, where knobs were turned
/// and no preset named, one workload called custom that starts from balanced. Each of them once for
/// every number of chunks. Throws UsageError.
std::vector<Workload> chosen_workloads(const Given& given);

/// The knobs as they were given, each within its own limits. Throws UsageError.
Knobs read_knobs(const Given& given);

/// The one workload whose knobs a sweep turns, before any is turned: the preset that was named, or
/// custom. Throws UsageError when several were.
Workload sweep_base(const Given& given);

/// --host-memory and --wait: each of the named kinds of memory with each of the named ways to wait,
/// in their order of plainness. Throws UsageError.
std::vector<Setting> chosen_settings(const Given& given);

/// Reads --sweep, which was given. Throws UsageError.
SweepRequest read_sweep(const Given& given);

/// The variants that a sweep compares unless it is told otherwise: of `known`, those that a user
/// would choose between; all of them where it knows none of these.
std::vector<std::string> main_variants(const std::vector<std::string>& known);

/// Throws UsageError when something else was given beside --compare, or what only goes with it
/// without it.
void check_diff(const Given& given);

/// Reads --compare, which was given. Throws UsageError.
DiffRequest read_diff(const Given& given);

}  // namespace trilane
