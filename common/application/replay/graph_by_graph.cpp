// Candidates that run an iteration as graphs, one for each segment between the host's waits.
#include "common/application/iteration/call_segments.hpp"
#include "common/application/iteration/call_traits.hpp"
#include "common/application/iteration/capture_obstacles.hpp"
#include "common/application/iteration/observed_call.hpp"
#include "common/application/replay/candidates.hpp"
#include "common/application/replay/driver_handles.hpp"
#include "common/application/replay/made_call.hpp"
#include "common/model/variant/lane_plan.hpp"

namespace trilane {

namespace {

struct GraphWay {
  bool sets = false;  ///< what varies, before each launch
  std::uint32_t iterations = 1;
  bool branches = false;  ///< without order that memory does not need

  std::vector<CallSegment> segments(const ApplicationRecording& recording) const {
    return branches ? ordered_by_memory(recording) : segments_of(recording);
  }
};

class GraphByGraph final : public Candidate {
 public:
  GraphByGraph(const GraphWay& way, const TakenIteration& taken)
      : Candidate(taken, HostKind::as_recorded),
        way_(way),
        flags_(needs_node_priorities(taken.recording)
                   ? CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY
                   : 0),
        calls_(iteration_.calls()),
        stream_(stream_of(taken)) {
    TRILANE_DRIVER(cuCtxGetCurrent, &context_);
    Allocations allocated;
    for (const std::uint64_t bytes : iteration_.allocations()) {
      memory_.emplace_back(bytes);
      allocated.push_back(memory_.back().address());
    }
    for (ReplayedCall& call : calls_) settle(call, allocated);
    for (const CallSegment& segment : way_.segments(taken.recording)) {
      parts_.push_back(part_of(segment, taken.recording));
      parts_.back().wait = {.what = SegmentWait::For::everything};
    }
    if (!runs_ahead(taken.recording)) return;
    const std::vector<SegmentWait> waits = waits_of_segments(taken.recording);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      parts_[i].wait = waits[i];
      if (waits[i].what != SegmentWait::For::segment) continue;
      OwnEvent& done = parts_[waits[i].segment].done;
      if (done == nullptr) done = make_own_event(CU_EVENT_DISABLE_TIMING);
    }
  }

  /// Spends the host's time between a segment's calls before launching its graph, since the
  /// operations may need the results. Waits for each graph or, if the loop runs ahead, for the
  /// graph that contains what the application waits for there.
  void run(double& issuing_us) override {
    nodes_set_ = 0;
    for (Part& part : parts_) {
      const double now_us = recorder_now_us();
      wait_until(now_us + part.host_us, now_us);
      if (part.exec == nullptr) {
        if (part.wait.what == SegmentWait::For::segment) wait_behind(part);
        continue;
      }
      const double start_us = recorder_now_us();
      for (const std::size_t node : part.set) {
        set_node(part.exec.get(), part.nodes[node], *part.operations[node], context_);
        ++nodes_set_;
      }
      TRILANE_DRIVER(cuGraphLaunch, part.exec.get(), stream_);
      if (part.done != nullptr) TRILANE_DRIVER(cuEventRecord, part.done.get(), stream_);
      issuing_us += recorder_now_us() - start_us;
      wait_behind(part);
    }
  }

  std::uint32_t iterations() const override { return way_.iterations; }

  /// Asks the driver for the graphs' content.
  std::vector<Count> evidence() const override {
    GraphContent all;
    std::uint64_t graphs = 0;
    for (const Part& part : parts_) {
      if (part.exec == nullptr) continue;
      ++graphs;
      add_content(part.graph.get(), all);
    }
    std::vector<Count> facts{{"graphs", graphs}, {"nodes set", nodes_set_}};
    std::ranges::copy(facts_of(all), std::back_inserter(facts));
    return facts;
  }

 private:
  struct Part {
    double host_us = 0;
    OwnGraph graph;
    OwnGraphExec exec;
    std::vector<CUgraphNode> nodes;
    std::vector<ReplayedCall*> operations;  ///< by node: in `calls_`
    std::vector<std::size_t> set;           ///< nodes that are set before each launch
    SegmentWait wait;
    OwnEvent done;  ///< after the graph, if another segment waits for it
  };

  /// All graphs are launched into one stream, so when one is done, earlier ones are done, too.
  void wait_behind(const Part& part) {
    switch (part.wait.what) {
      case SegmentWait::For::nothing: return;
      case SegmentWait::For::everything: return TRILANE_DRIVER(cuStreamSynchronize, stream_);
      case SegmentWait::For::segment:
        return TRILANE_DRIVER(cuEventSynchronize, parts_[part.wait.segment].done.get());
    }
  }

  Part part_of(const CallSegment& segment, const ApplicationRecording& recording) {
    Part part;
    part.host_us = segment.host_us * way_.iterations;
    if (segment.nodes.empty()) return part;
    CUgraph graph = nullptr;
    TRILANE_DRIVER(cuGraphCreate, &graph, 0);
    part.graph.reset(graph);
    std::vector<CUgraphNode> ends;  // of the iteration before
    for (std::uint32_t i = 0; i < way_.iterations; ++i) {
      ends = add_iteration(segment, recording, ends, part);
    }
    CUgraphExec exec = nullptr;
    TRILANE_DRIVER(cuGraphInstantiate, &exec, graph, flags_);
    part.exec.reset(exec);
    TRILANE_DRIVER(cuGraphUpload, exec, stream_);
    TRILANE_DRIVER(cuStreamSynchronize, stream_);
    return part;
  }

  /// Adds the segment's nodes behind those of an iteration before. Returns the nodes that end it.
  std::vector<CUgraphNode> add_iteration(const CallSegment& segment,
                                         const ApplicationRecording& recording,
                                         const std::vector<CUgraphNode>& behind, Part& part) {
    return add_segment(part.graph.get(), segment, calls_, behind, context_,
                       [&](const SegmentNode& node, ReplayedCall& operation, CUgraphNode added) {
                         if (way_.sets && varies(recording.calls[node.call])) {
                           part.set.push_back(part.nodes.size());
                         }
                         part.nodes.push_back(added);
                         part.operations.push_back(&operation);
                       });
  }

  const GraphWay way_;
  const unsigned long long flags_;  // for the graphs' instantiation
  CUcontext context_ = nullptr;
  std::vector<ReplayedCall> calls_;
  std::vector<OwnMemory> memory_;  // the iteration's allocations, made once
  CUstream stream_;
  std::vector<Part> parts_;
  std::uint64_t nodes_set_ = 0;  // in the latest run
};

void expect_graphs(const ApplicationRecording& recording, const GraphWay& way, Plan& plan) {
  plan.model.issuer = way.sets ? Issuer::graph_set : Issuer::graph;
  if (way.iterations > 1) {
    plan.iterations = way.iterations;
    if (gives_results(recording) || recording.breaks)
      plan.model.chaining = Chaining::recorded_one_wait;
  }
  if (way.branches) plan.model.chaining = Chaining::recorded_memory;
  if (includes(recording.calls, CallKind::allocate, &RecordedCall::kind)) {
    plan.model.scratch = ScratchSource::pass;
  }
  GraphContent content;
  std::uint64_t graphs = 0, set = 0;
  for (const CallSegment& segment : way.segments(recording)) {
    graphs += segment.nodes.empty() ? 0 : 1;
    std::uint64_t ends = 0;  // of the iteration before
    for (std::uint32_t i = 0; i < way.iterations; ++i) {
      ends = expect_segment(recording, segment, ends, content);
    }
    for (const SegmentNode& node : segment.nodes) {
      const RecordedCall& call = recording.calls[node.call];
      if (way.sets && varies(call)) set += nodes_of(call);
    }
  }
  plan.calls = {{"cuGraphLaunch", graphs}};
  expect(plan, {{"graphs", graphs}, {"nodes set", set}});
  expect(plan, facts_of(content));
  plan.facts.back().at_least = true;  // a kernel's own code may ask for clusters, too
}

/// Graphs of more nodes take long to make, and what a launch costs is then a small part.
constexpr std::uint64_t most_nodes = 10'000;

std::string why_no_graphs(const TakenIteration& taken, const GraphWay& way) {
  const ApplicationRecording& recording = taken.recording;
  if (way.iterations > 1) {
    std::uint64_t nodes = 0;
    for (const RecordedCall& call : recording.calls) {
      if (is_operation(call.kind)) nodes += nodes_of(call);
    }
    if (const std::string why = why_no_graph(recording); !why.empty()) return why;
    return nodes * way.iterations > most_nodes ? "the graph would be too large"
                                               : why_not_together(recording);
  }
  if (way.branches) {
    const std::string why = why_no_graph(recording);
    if (!why.empty() || ordered_by_memory(recording) != segments_of(recording)) return why;
    return "the memory that they use needs the order of all operations";
  }
  const bool something_varies = any_call(recording, varies);
  if (something_varies == way.sets) return why_no_graph(recording);
  return way.sets ? "nothing varies from iteration to iteration; see graph"
                  : "arguments or pointers vary from iteration to iteration; see graph_set";
}

template <GraphWay way>
constexpr CandidateRow graph_row(ReplayWay name) {
  return {.way = name,
          .why_not = [](const TakenIteration& taken) { return why_no_graphs(taken, way); },
          .expect = [](const TakenIteration& taken,
                       Plan& plan) { expect_graphs(taken.recording, way, plan); },
          .make = make_as<GraphByGraph, way>};
}

constexpr CandidateRow rows_of_graphs[] = {
    graph_row<GraphWay{}>(ReplayWay::graph),
    graph_row<GraphWay{.sets = true}>(ReplayWay::graph_set),
    graph_row<GraphWay{.iterations = 2}>(ReplayWay::graph_of_2),
    graph_row<GraphWay{.iterations = 4}>(ReplayWay::graph_of_4),
    graph_row<GraphWay{.iterations = 8}>(ReplayWay::graph_of_8),
    graph_row<GraphWay{.sets = true, .branches = true}>(ReplayWay::graph_branches)};

}  // namespace

std::span<const CandidateRow> graph_by_graph() { return rows_of_graphs; }

}  // namespace trilane
