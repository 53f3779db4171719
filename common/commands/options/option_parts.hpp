// Parts of reading a command's words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/commands/options/caller.hpp"
#include "common/commands/options/given.hpp"
#include "common/commands/options/run_options.hpp"
#include "common/measure/processes/by_setting.hpp"
#include "common/measure/sweep/map/axis.hpp"
#include "common/model/workload/knobs.hpp"
#include "common/model/workload/workload.hpp"

namespace trilane {

/// A file and the option or operand that names it. "-" is standard output, an empty path no file.
struct NamedFile {
  std::string label, path;
};

/// Throws UsageError if two outputs, or an output and an input, are the same file, even through
/// other spellings and symbolic links: --force must not overwrite the run's own input.
void check_files(const std::vector<NamedFile>& outputs, const std::vector<NamedFile>& inputs);

/// Refuses --rounds beside --kernel-time. This and the next two throw UsageError.
void check_rounds(const Given& given);

/// Refuses what several processes cannot do, if --processes or several settings ask for them.
void check_processes(const Given& given);

/// Refuses several settings, for commands that compare none.
void check_one_setting(const Given& given);

/// Returns the words of a child process with that command: those given, without outputs and without
/// what each process has of its own.
std::vector<std::string> arguments_of_child(const Given& given, const char* command);

/// Returns --processes of a command that measures in several by default, see
/// option::fresh_processes. Throws UsageError.
std::uint32_t read_processes(const Given& given, const Caller& caller);

/// Reads everything except workloads and variants. `command` is that of a child process,
/// `processes` their number without --processes. Throws UsageError.
void read_rest(const Given& given, const Caller& caller, const char* command, RunOptions& options,
               std::uint32_t processes = 1);

/// Returns the named presets in the order given, all by default, with the knobs applied. If knobs
/// but no preset are given, returns one workload called custom that starts from balanced with
/// kernels of one round. Throws UsageError.
std::vector<Workload> chosen_workloads(const Given& given);

/// Returns the given knobs, each within its own limits. Throws UsageError.
Knobs read_knobs(const Given& given);

/// Returns the one workload whose knobs a sweep changes, before any change: the named preset, or
/// custom. Throws UsageError.
Workload sweep_base(const Given& given);

/// Reads --host-memory and --wait: returns each named kind of memory with each named way to wait,
/// in the order given. Throws UsageError.
std::vector<Setting> chosen_settings(const Given& given);

/// Returns the operands of `trilane sweep` with its knobs. Throws UsageError.
SweepRequest read_sweep(const Given& given);

/// Returns all variants of the tier that --tier names, if it was given. Throws UsageError.
std::optional<std::vector<std::string>> variants_of_tier(const Given& given);

/// Returns the variants that a sweep compares without --variant and --tier: those of `known` that a
/// user would choose between, or all if none exist.
std::vector<std::string> main_variants(const std::vector<std::string>& known);

}  // namespace trilane
