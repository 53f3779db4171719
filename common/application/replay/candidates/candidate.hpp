// Ways to run a recorded iteration: each issues all of its work once, with the host's waits.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/application/replay/calls/replayed_iteration.hpp"
#include "common/model/variant/plan.hpp"

namespace trilane {

/// The change made by a candidate.
enum class ReplayWay {
  nothing,      ///< the same calls
  graph,        ///< each segment between host waits is a graph, recorded once
  graph_set,    ///< the same, with varying values set in the graph before each launch
  pinned,       ///< pinned instead of pageable host memory
  pool,         ///< a pool that keeps its memory instead of cudaMalloc and cudaFree, and of pools
                ///< that give it back when the host waits
  fewer_waits,  ///< only the last wait of the host; a bound, because the host may need what it
                ///< waited for
};
inline constexpr ReplayWay all_replay_ways[] = {ReplayWay::nothing,   ReplayWay::graph,
                                                ReplayWay::graph_set, ReplayWay::pinned,
                                                ReplayWay::pool,      ReplayWay::fewer_waits};

/// "calls", "graph", "graph_set", "pinned", "pool", "fewer_waits".
const char* name_of(ReplayWay way);

/// One candidate, ready to run.
class Candidate {
 public:
  Candidate() = default;
  Candidate(const Candidate&) = delete;
  Candidate& operator=(const Candidate&) = delete;
  virtual ~Candidate() = default;

  /// Runs one iteration. Returns when the host's last wait is over. Adds the time of the calls that
  /// are not waits to `issuing_us`.
  virtual void run(double& issuing_us) = 0;

  /// Returns the iteration, whose host memory the copies use.
  virtual ReplayedIteration& iteration() = 0;

  /// Returns what it made, for comparison with its plan.
  virtual std::vector<Count> evidence() const = 0;
};

/// Returns why that way says nothing about this recording, naming the call; empty if it does.
std::string why_not(ReplayWay way, const TakenIteration& taken);

/// Returns what the candidate will do.
Plan plan_of(ReplayWay way, const TakenIteration& taken);

/// Returns the iteration as a workload.
Workload workload_of(const ApplicationRecording& recording);

/// Makes a candidate. Throws NotPossible and DriverError.
std::unique_ptr<Candidate> make_candidate(ReplayWay way, const TakenIteration& taken);

}  // namespace trilane
