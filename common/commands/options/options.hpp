// The command line.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/diff/diff_runs.hpp"
#include "common/harness/comparison_settings.hpp"
#include "common/processes/by_setting.hpp"
#include "common/sweep/map/sweep_request.hpp"
#include "common/workload/workload.hpp"

namespace trilane {

enum class Action { measure, sweep, diff, calibrate, dry_run, list, help, version };

struct Options {
  Action action = Action::measure;
  std::map<std::string, std::string> given;  ///< every option as typed, without dashes
  std::vector<Workload> workloads;           ///< one per preset, knobs applied; empty for a sweep
  ComparisonSettings comparison;             ///< of each workload
  ProcessRequest processes;                  ///< in which comparisons are repeated
  std::uint32_t repeat = 0;           ///< comparisons with --aa that show intervals only; or 0
  std::optional<SweepRequest> sweep;  ///< with Action::sweep
  DiffRequest diff;                   ///< with Action::diff
  int device = 0;
  std::string json, csv;  ///< output paths, "-" for standard output, empty for none
  std::string trace;      ///< output path of a trace; "-" and empty as above
  std::string calibrate;  ///< output path of a profile; with Action::calibrate
  bool force = false;     ///< overwrite output files
  std::string profile;    ///< of the simulated device; empty: built in
  std::string fault;      ///< "NUMBER=CODE" for the simulated device; empty for none
};

/// Reads argv without the program's name. `variants` names those in this program, in order;
/// `simulated` says whether its device is simulated, so that it has --profile and --fault. With
/// --help, --version or --list reads only the action, with --compare only its options. Checks no paths: OutputFile checks outputs, and start_simulation() reads the profile.
/// Throws UsageError.
Options parse_options(std::span<const char* const> arguments, std::span<const std::string> variants,
                      bool simulated);

/// The help text; every line at most 80 characters.
std::string help_text(const std::string& program, std::span<const std::string> variants,
                      bool simulated);

}  // namespace trilane
