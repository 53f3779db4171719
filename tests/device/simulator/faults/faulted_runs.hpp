// Repeats the whole measuring run on the simulated device, each time with another fault.
#pragma once

#include "common/commands/options/run_options.hpp"
#include "common/device/simulator/machine/machine.hpp"
#include "tests/device/simulator/faults/fault_places.hpp"

namespace trilane::simulator {

/// A variant's entry in the results file.
struct Fate {
  std::string variant;
  Status status = Status::not_run;
  std::string message;
  bool measured = false;  ///< there are samples, and a summary of them
};

/// The end of a run.
struct Ending {
  std::string broken;  ///< why it did not get to its end: a signal, a hang, an exception
  int exit_code = 0;
  bool first_intact = false;        ///< the file has the same first workload as without a fault
  std::vector<Fate> first, second;  ///< the variants on the two workloads
  std::string stopped;              ///< Comparison::stopped of the second
  std::string err;                  ///< standard error, from the fault on
  std::string faulted;              ///< name of the call that failed
  cudaError_t then = cudaSuccess;   ///< what a call after the run returns
  std::size_t captures = 0;         ///< still under way
  std::vector<std::string> leaks;   ///< Machine::leaks()
};

/// Returns the variants without host threads of their own, in groups of three: one to fail, and two
/// that must not suffer from it. A forked child process has none of its parent's threads.
std::vector<std::vector<VariantEntry>> groups_of_variants();

/// Runs measure(), which is all that main does, with two presets cut down to two tiny chunks on two
/// lanes. Runs these variants, the fewest rounds possible, and a results file in a temporary
/// folder. While an instance exists, the registry has no other variants.
class FaultedRuns {
 public:
  /// Makes the run without a fault, the reference for all others. Faults will be put into calls of
  /// that part.
  FaultedRuns(Part part, std::vector<VariantEntry> variants);
  ~FaultedRuns();
  FaultedRuns(const FaultedRuns&) = delete;
  FaultedRuns& operator=(const FaultedRuns&) = delete;

  const Ending& sound() const { return sound_; }

  /// Returns the second workload's calls that get faults.
  const std::vector<FaultPlace>& places() const { return places_; }

  /// Makes a run for every place and each of its codes, in this order; `codes_of` takes the index
  /// of a place. All are the same up to the fault, so that part is run once; for each fault the
  /// process forks there, and the child continues.
  std::vector<Ending> with_faults(
      const std::function<std::vector<cudaError_t>(std::size_t)>& codes_of);

 private:
  /// Runs, and leaves the machine in its final state. Reads no results file.
  Ending run();
  void read_results(Ending& ending);

  std::vector<VariantEntry> all_variants_;
  std::string folder_;
  RunOptions options_;
  Settings settings_;
  Ending sound_;
  std::string first_;  // what the results file says of the first workload
  std::vector<FaultPlace> places_;
  std::vector<std::uint64_t> borders_;  // number of calls made at each
};

}  // namespace trilane::simulator
