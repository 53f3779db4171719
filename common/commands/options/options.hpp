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
  std::map<std::string, std::string> given;  ///< every option as it was typed, without its dashes
  std::vector<Workload> workloads;  ///< one per chosen preset, knobs applied; none of a sweep
  ComparisonSettings comparison;    ///< of each workload
  ProcessRequest processes;         ///< that the comparisons are repeated in
  std::uint32_t repeat = 0;  ///< comparisons in a row, of which only the intervals are shown; or 0
  std::optional<SweepRequest> sweep;  ///< with Action::sweep
  DiffRequest diff;                   ///< with Action::diff
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
