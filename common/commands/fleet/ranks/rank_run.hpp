// The measurement of a rank of `trilane fleet`: `trilane run` in a process of its own, so that a
// fault of the driver, a kill or a hang costs this rank's results only. Knows nothing of MPI.
#pragma once

#include <unistd.h>

#include "common/base/text/exit_code.hpp"

namespace trilane {

/// The work of all ranks.
struct FleetJob {
  std::string program;           ///< trilane or trilane-sim
  std::filesystem::path folder;  ///< of the files of the ranks
  std::chrono::seconds limit;    ///< of a rank's run
  std::string device;            ///< a number, or "local" for the rank's number on its node
  std::vector<std::string> arguments;

  /// Returns true if files of an earlier run may be removed.
  bool replaces() const { return std::ranges::count(arguments, "--force") > 0; }
  std::string file_of(int rank, const char* kind) const;
  std::string results_of(int rank) const { return file_of(rank, ".json.gz"); }
};

/// The end of a rank's run: the exit code, and what to say about it if its results do not.
struct RankOutcome {
  ExitCode code = exit_ok;
  std::string why;
};

/// A run that is told to end, and then one that is killed, gets this long.
constexpr std::chrono::seconds grace(10);

/// Calls `done` every 2 ms until it returns true or the time is up. Returns the former. Sleeps,
/// because other ranks of the node may still measure.
template <typename Done>
bool wait_until(std::chrono::steady_clock::time_point end, Done done) {
  constexpr useconds_t pause_us = 2'000;
  while (!done()) {
    if (std::chrono::steady_clock::now() > end) return false;
    usleep(pause_us);
  }
  return true;
}

/// Makes the folder. Returns true if it has files of an earlier run that may not be removed.
bool is_taken(const FleetJob& job);

/// Measures on a GPU for at most the limit and twice the grace. Results are in the folder.
RankOutcome measure(const FleetJob& job, int rank, int device);

}  // namespace trilane
