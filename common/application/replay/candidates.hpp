// Ways to run a recorded iteration: each issues all of its work once, with the host's waits.
#pragma once

#include <boost/core/noncopyable.hpp>
#include <boost/describe/enum.hpp>
#include <boost/describe/enum_to_string.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/application/replay/replayed_iteration.hpp"
#include "common/model/variant/plan.hpp"

namespace trilane {

/// The change made by a candidate.
enum class ReplayWay {
  calls,        ///< none: the same calls
  graph,        ///< each segment between host waits is a graph, recorded once
  graph_set,    ///< the same, with varying values set in the graph before each launch
  pinned,       ///< pinned instead of pageable host memory
  pool,         ///< a pool that keeps its memory instead of cudaMalloc and cudaFree, and of pools
                ///< that give it back when the host waits
  fewer_waits,  ///< only the last wait of the host; a bound, because the host may need what it
                ///< waited for
};
BOOST_DESCRIBE_ENUM(ReplayWay, calls, graph, graph_set, pinned, pool, fewer_waits)
/// Returns the enumerator's name: "graph_set".
inline const char* name_of(ReplayWay way) { return boost::describe::enum_to_string(way, ""); }

/// One candidate, ready to run.
class Candidate : boost::noncopyable {
 public:
  virtual ~Candidate() = default;

  /// Runs one iteration. Returns when the host's last wait is over. Adds the time of the calls that
  /// are not waits to `issuing_us`.
  virtual void run(double& issuing_us) = 0;

  /// Returns what it made, for comparison with its plan.
  virtual std::vector<Count> evidence() const = 0;

  /// Returns the host memory that the copies use.
  ReplayedHost& host() { return iteration_.host(); }

 protected:
  Candidate(const TakenIteration& taken, HostKind host) : iteration_(taken, host) {}

  ReplayedIteration iteration_;
};

/// Makes a candidate that runs an iteration call by call, as the application does.
std::unique_ptr<Candidate> call_by_call(ReplayWay way, const TakenIteration& taken);

/// Makes a candidate that runs an iteration as graphs, one for each segment between the host's
/// waits.
std::unique_ptr<Candidate> graph_by_graph(ReplayWay way, const TakenIteration& taken);

/// Counts over all graphs of an iteration, without the content of child graphs.
struct GraphContent {
  std::uint64_t nodes = 0, kernels = 0, copies = 0, memsets = 0;
  std::uint64_t edges = 0;
  std::uint64_t programmatic_edges = 0;  ///< among them
  std::uint64_t prioritised = 0;         ///< kernels with a higher priority than most: below 0
  std::uint64_t cooperative = 0;
  std::uint64_t clusters = 0;  ///< kernels in clusters of several blocks
};

/// Returns the counts by their names, "nodes", "programmatic edges"; that of clusters is the last.
std::vector<Count> facts_of(const GraphContent& content);

/// Returns why that way says nothing about this recording, naming the call; empty if it does.
std::string why_not(ReplayWay way, const TakenIteration& taken);

/// Returns what the candidate will do.
Plan plan_of(ReplayWay way, const TakenIteration& taken);

/// Returns the iteration as a workload.
Workload workload_of(const ApplicationRecording& recording);

/// Makes the candidate of that way. `taken` must outlive it. Throws NotPossible, and errors of
/// the driver.
std::unique_ptr<Candidate> make_candidate(ReplayWay way, const TakenIteration& taken);

}  // namespace trilane
