// The command line.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/commands/options/compare_request.hpp"
#include "common/commands/options/sweep_request.hpp"
#include "common/results/results.hpp"
#include "common/workload/pool_policy.hpp"
#include "common/workload/workload.hpp"

namespace trilane {

enum class Action { measure, sweep, compare, calibrate, dry_run, list, help, version };

/// A way to run everything that belongs to a process: several are compared across processes.
struct Setting {
  HostMemory host_memory = HostMemory::pinned;
  Wait wait = Wait::spin;
};

struct Options {
  Action action = Action::measure;
  std::map<std::string, std::string> given;  ///< every option as it was typed, without its dashes
  std::vector<Workload> workloads;    ///< one per chosen preset, knobs applied; none of a sweep
  std::optional<SweepRequest> sweep;  ///< with Action::sweep
  CompareRequest compare;             ///< with Action::compare
  std::vector<std::string> variants;  ///< names, in registry order; all by default
  std::vector<Setting> settings{{}};  ///< every host memory with every way of waiting
  std::vector<NamedPolicy> policies;  ///< of pools, when several are compared; otherwise empty
  std::string reference;              ///< one of `variants`; empty when only others were chosen
  std::string aa;            ///< the one variant that is compared with itself; empty: no A/A
  std::uint32_t repeat = 0;  ///< comparisons in a row, of which only the intervals are shown; or 0
  double slow_down = 0;      ///< with `aa`: share by which the second of the two is slowed down
  std::uint32_t processes = 1;  ///< that the comparison is repeated in
  /// What was given, as words for a further process: all but --processes, --seed and the outputs.
  std::vector<std::string> child_arguments;
  Mode mode = Mode::latency;
  Wait wait = Wait::spin;     ///< of the first setting, as the workloads' host memory is
  double kernel_time_us = 0;  ///< wished time of one kernel; 0: the workload's rounds stand
  double seconds = 6;         ///< measuring time per workload; of a sweep, all its time
  double precision = 0.01;    ///< stop when every interval is this narrow (half width, relative)
  bool prove_break_even = false;  ///< run real sequences to where they cross
  std::uint64_t seed = 1;
  int device = 0;
  std::string json, csv;  ///< output paths, "-" for standard output, empty for none
  std::string trace;      ///< the same, of a trace
  std::string calibrate;  ///< output path of a profile; with Action::calibrate
  bool force = false;     ///< overwrite output files
  std::string profile;    ///< of the simulated device; empty for the one that is built in
  std::string fault;      ///< "NUMBER=CODE" for the simulated device; empty for none
};

/// Reads argv (without the program's name). `variants` names what this program holds, in order;
/// `simulated` says whether its device is simulated: only then are there --profile and --fault.
/// With --help, --version or --list only the action is read, with
/// --compare only what goes with that. Throws UsageError. Paths are only
/// parsed here: output_file.hpp checks those of outputs, start_simulation() reads the profile.
Options parse_options(std::span<const char* const> arguments, std::span<const std::string> variants,
                      bool simulated);

/// The help text; every line at most 80 characters.
std::string help_text(const std::string& program, std::span<const std::string> variants,
                      bool simulated);

}  // namespace trilane
