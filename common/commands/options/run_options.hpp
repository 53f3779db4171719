// The options of the commands that measure variants, and how they are read.
#pragma once

#include "common/commands/options/command_line.hpp"
#include "common/device/profile/profile.hpp"
#include "common/measure/harness/comparison_settings.hpp"
#include "common/measure/processes/settings.hpp"
#include "common/measure/sweep/map/axis.hpp"

namespace trilane {

/// Options for printing pages.
struct ShowOptions {
  bool quiet = false;     ///< only the answers
  bool markdown = false;  ///< instead of plain text
};

/// The device to run on, and the one to simulate.
struct DeviceOptions {
  int number = 0;
  std::string profile;                   ///< of the simulated device; empty: built in
  std::string fault;                     ///< "NUMBER=CODE" for the simulated device; empty for none
  std::string gpus;                      ///< "COUNT,NUMBER=RATE%" simulated ones; empty for one
  std::function<void(Profile&)> change;  ///< of the profile, by --set
};

/// Output paths, "-" for standard output, empty for none.
struct OutputOptions {
  std::string json, csv, trace;
  bool force = false;      ///< overwrite files
  bool name_node = false;  ///< record the host's name
};

struct RunOptions {
  std::vector<Workload> workloads;            ///< one per preset, knobs applied; empty for a sweep
  ComparisonSettings comparison;              ///< for each workload
  ProcessRequest processes;                   ///< in which comparisons are repeated
  double kernel_limit_us = 10e6;              ///< for a stage in a pipeline's trial
  std::vector<std::string> pipeline_knobs{};  ///< --size and the like, as given, for a trial
  DeviceOptions device;
  OutputOptions outputs;
  ShowOptions show;
  std::vector<std::string> warnings;  ///< to be printed once nothing can be refused any more
};

/// Returns the options of `trilane run`. Of paths, checks only that they differ: OutputFile checks
/// outputs, and start_simulation() reads the profile. Throws UsageError for bad values and for
/// options that exclude each other.
RunOptions read_run(const Given& given, const Caller& caller);

/// Returns the options of `trilane plan`: workloads and variants. Throws UsageError.
RunOptions read_plan(const Given& given, const Caller& caller);

/// Returns the options of `trilane aa VARIANT`: that variant and its twin. `repeat` is the number
/// of short comparisons that show intervals only, or 0. Throws UsageError.
RunOptions read_aa(const Given& given, const Caller& caller, std::uint32_t& repeat);

/// Returns the options of `trilane sweep` except its request: settings of the comparison in a cell,
/// whose `seconds` are those of the whole map. Throws UsageError.
RunOptions read_sweep_run(const Given& given, const Caller& caller);

/// Returns the options of `trilane pipeline check` and `measure`: workloads, device, limit. Throws
/// UsageError.
RunOptions read_trial_run(const Given& given);

/// Returns true for --device N,M, for --device all and for --split.
bool names_several_devices(const Given& given);

DeviceOptions read_device(const Given& given);
/// Returns the same with another device than --device says.
DeviceOptions read_device(const Given& given, int number);
ShowOptions read_show(const Given& given);

/// Returns the words of a child process with that command: those given, without outputs and without
/// what each process has of its own.
std::vector<std::string> arguments_of_child(const Given& given, const char* command);

/// Returns --processes of a command that measures in several by default, see
/// option::fresh_processes. Throws UsageError.
std::uint32_t read_processes(const Given& given, const Caller& caller);

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

/// Returns the same with the GPUs of --device, each in the ways of --together; one GPU alone has
/// none. A prediction leaves out the threads of one process, whose calls it would time one after
/// the other. Throws UsageError.
std::vector<Setting> placed_settings(const Given& given, Effort effort);

/// Returns the operands of `trilane sweep` with its knobs. Throws UsageError.
SweepRequest read_sweep(const Given& given);

/// Returns all variants of the tier that --tier names, if it was given. Throws UsageError.
std::optional<std::vector<std::string>> variants_of_tier(const Given& given);

/// Returns the variants that a sweep compares without --variant and --tier: those of `known` that a
/// user would choose between, or all if none exist.
std::vector<std::string> main_variants(const std::vector<std::string>& known);

/// Returns "blur.cu:blur" as the pipeline copy in, kernel, copy out, with the number and size of
/// `shape`'s chunks. By its source, the kernel takes an input, an output and the number of their
/// elements; it runs in blocks of 256 threads, a thread per element. Throws UsageError for other
/// kernels, which need a pipeline file.
Pipeline pipeline_of_kernel(const std::string& text, const Workload& shape);

}  // namespace trilane
