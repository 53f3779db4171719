// The command line.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/results/results.hpp"
#include "common/workload/workload.hpp"

namespace trilane {

enum class Action { measure, dry_run, list, help, version };

struct Options {
  Action action = Action::measure;
  std::vector<Workload> workloads;    ///< one per chosen preset, knobs applied
  std::vector<std::string> variants;  ///< names, in registry order; all by default
  std::string reference;              ///< one of `variants`; empty when only others were chosen
  Mode mode = Mode::latency;
  double kernel_time_us = 0;  ///< wished time of one kernel; 0: the workload's rounds stand
  double seconds = 6;         ///< measuring time per workload
  double precision = 0.01;    ///< stop when every interval is this narrow (half width, relative)
  std::uint64_t seed = 1;
  int device = 0;
  std::string json, csv;  ///< output paths, "-" for standard output, empty for none
  bool force = false;     ///< overwrite output files
};

/// Reads argv (without the program's name). `variants` names what this program holds, in order.
/// With --help, --version or --list only the action is read. Throws UsageError. Output paths are
/// only parsed here; output_file.hpp checks them.
Options parse_options(std::span<const char* const> arguments,
                      std::span<const std::string> variants);

/// The help text; every line at most 80 characters.
std::string help_text(const std::string& program, std::span<const std::string> variants);

}  // namespace trilane
