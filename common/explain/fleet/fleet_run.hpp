// The figures of one results file, to be judged beside others.
#pragma once

#include "common/explain/statistics/interval.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

/// A time that a run measured, as a logarithm: of a pass of a variant, or a cost of the machine.
struct FleetValue {
  std::string work;     ///< the comparison, with all that defines its work
  std::string variant;  ///< empty for a cost
  std::string cost;     ///< "copy in", "cudaLaunchKernel"; empty for a variant
  LogMean log;          ///< the variance is 0 if the file does not show it
};

/// One comparison of a run.
struct FleetWork {
  std::string key, label, shape, reference;
  std::string work;                     ///< in words, of which the key is a short form
  std::map<std::string, Tier> tiers{};  ///< of its variants
};

/// The figures and the place of one results file.
struct FleetRun {
  std::string file;  ///< and the GPU, if the file has several
  Context context;
  std::vector<FleetWork> works{};
  std::vector<FleetValue> values{};
  std::vector<std::string> failures{};  ///< variants that went wrong, with their messages
};

/// Returns the figures of a run, by GPU if it measured several. Throws std::invalid_argument on
/// invalid times.
std::vector<FleetRun> fleet_runs(const std::string& file, const Results& results);

}  // namespace trilane
