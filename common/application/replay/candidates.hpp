// Ways to run a recorded iteration, or several: each issues all of its work, with the host's waits.
#pragma once

#include <boost/describe/enum.hpp>
#include <boost/describe/enum_to_string.hpp>

#include "common/application/replay/made_call.hpp"
#include "common/application/replay/operation_timer.hpp"
#include "common/application/replay/replayed_iteration.hpp"
#include "common/model/variant/plan.hpp"

namespace trilane {

/// The change made by a candidate.
BOOST_DEFINE_ENUM_CLASS(
    ReplayWay,
    calls,        ///< none: the same calls
    graph,        ///< each segment between host waits is a graph, recorded once
    graph_set,    ///< the same, with varying values set in the graph before each launch
    pinned,       ///< pinned instead of pageable host memory
    pool,         ///< a pool that keeps its memory instead of cudaMalloc, cudaFree and other pools
    fewer_waits,  ///< only the last wait of the host; a bound, because the host may need the others
    lagged_wait,  ///< the last wait is for the iteration before; a bound: results come later
    word_wait,    ///< the host reads a word in place of its last wait
    joined_copies,  ///< one copy of those that follow each other in both memories
    graph_of_2,     ///< two iterations are a graph; a bound if they copy results to the host
    graph_of_4, graph_of_8,
    graph_branches,  ///< as graph_set, but with only edges that memory needs; a bound
    graph_while)     ///< steps that the host repeats are a loop of the graph; a bound
/// Returns the enumerator's name: "graph_set".
inline const char* name_of(ReplayWay way) { return boost::describe::enum_to_string(way, ""); }

/// One candidate, ready to run.
class Candidate : boost::noncopyable {
 public:
  virtual ~Candidate() = default;

  /// Runs its iterations, to the host's last wait. Adds the time of other calls to `issuing_us`.
  virtual void run(double& issuing_us) = 0;

  /// Returns the number of iterations in a run.
  virtual std::uint32_t iterations() const { return 1; }

  /// Must be called when memory holds the iteration's start: sets the memory of the next run.
  virtual void restart() {}

  /// Returns the lengths of operations in the runs so far; empty unless make_timed_calls() made it.
  virtual DeviceLengths lengths() const { return {}; }

  /// Returns what it made, for comparison with its plan.
  virtual std::vector<Count> evidence() const = 0;

  /// Returns the host memory that the copies use.
  ReplayedHost& host() { return iteration_.host(); }

  /// Returns what the latest run has left for the next one, and then the host memory that it wrote.
  std::vector<MemoryFacts> outputs() const;
  /// Returns what the application's own iteration left for its next one.
  std::vector<MemoryFacts> left_by_application() const {
    return transformed(iteration_.handed(), &HandedMemory::application);
  }

 protected:
  Candidate(const TakenIteration& taken, HostKind host) : iteration_(taken, host) {}

  ReplayedIteration iteration_;
  Allocations allocated_;  ///< of a run; those that it inherits come first
};

/// A way as a row of a table.
struct CandidateRow {
  ReplayWay way;
  std::string (*why_not)(const TakenIteration&);
  /// Adds the candidate's facts to a plan, and changes its model, which is the application's.
  void (*expect)(const TakenIteration&, Plan&);
  std::unique_ptr<Candidate> (*make)(const TakenIteration&);
};

/// Makes a candidate of that class, which takes these values first: a CandidateRow::make.
template <typename Made, auto... values>
std::unique_ptr<Candidate> make_as(const TakenIteration& taken) {
  return std::make_unique<Made>(values..., taken);
}

/// Returns for each call the first of the copies that it is joined with; itself: it stays. Copies
/// to the host stay if another one writes the same bytes.
std::vector<std::size_t> joined_with(const ApplicationRecording& recording);

/// Returns the recording with each such group as one copy. The host's own time before its calls is
/// before that copy, as the host must have written all of it then.
ApplicationRecording with_joined_copies(const ApplicationRecording& recording);

/// Returns the iteration in this form. The given one must outlive it, and inherit no memory.
TakenIteration with_joined_copies(const TakenIteration& taken);

/// Returns the candidates that run an iteration call by call, as the application does.
std::span<const CandidateRow> call_by_call();

/// Returns those that run it as graphs, one for each segment between the host's waits.
std::span<const CandidateRow> graph_by_graph();

/// Returns the one that repeats steps of an iteration by a WHILE node.
std::span<const CandidateRow> graph_while();

/// Returns why that way says nothing about this recording, naming the call; empty if it does.
std::string why_not(ReplayWay way, const TakenIteration& taken);

/// Returns what the candidate will do.
Plan plan_of(ReplayWay way, const TakenIteration& taken);

/// Makes the candidate of that way. `taken` must outlive it. Throws NotPossible, and driver errors.
std::unique_ptr<Candidate> make_candidate(ReplayWay way, const TakenIteration& taken);

/// Makes the candidate of the same calls, which also times operations on the device. The device
/// must be idle after each run. Throws like make_candidate(), and if streams cannot be held back.
std::unique_ptr<Candidate> make_timed_calls(const TakenIteration& taken);

/// Returns the number of calls that make the host wait.
std::uint64_t waits_of(const ApplicationRecording& recording);

/// Returns the iteration as a workload.
Workload workload_of(const ApplicationRecording& recording);

}  // namespace trilane
