// The options of the commands that measure variants.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/commands/options/caller.hpp"
#include "common/commands/options/given.hpp"
#include "common/measure/harness/comparison_settings.hpp"
#include "common/measure/processes/by_setting.hpp"
#include "common/model/workload/workload.hpp"

namespace trilane {

/// Options for printing pages.
struct ShowOptions {
  bool quiet = false;     ///< only the answers
  bool markdown = false;  ///< instead of plain text
};

/// The device to run on, and the one to simulate.
struct DeviceOptions {
  int number = 0;
  std::string profile;  ///< of the simulated device; empty: built in
  std::string fault;    ///< "NUMBER=CODE" for the simulated device; empty for none
};

/// Output paths, "-" for standard output, empty for none.
struct OutputOptions {
  std::string json, csv, trace;
  bool force = false;  ///< overwrite files
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

DeviceOptions read_device(const Given& given);
ShowOptions read_show(const Given& given);

}  // namespace trilane
