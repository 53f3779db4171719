#include "common/application/prediction/ways/ways.hpp"

#include <cuda_runtime_api.h>

#include "common/application/iteration/call_segments.hpp"
#include "common/device/flavour/flavour.hpp"

namespace trilane {
namespace {

class CallsAgain {
 public:
  CallsAgain(const ApplicationRecording& recording, MemoryRules rules)
      : recording_(recording),
        streams_(recording),
        memory_(recording, rules),
        gaps_us_(own_gaps(recording)) {}

  void operator()() {
    for (std::size_t i = 0; i < recording_.calls.size(); ++i) {
      spend_us(gaps_us_[i]);
      make(i);
    }
  }

 private:
  void make(std::size_t i) {
    const RecordedCall& call = recording_.calls[i];
    switch (role_of(call.kind)) {
      case CallRole::work:
      case CallRole::graph_launch:
        return make_again(recording_, call, memory_.operands_of(i), streams_.stream(call.stream));
      case CallRole::allocation: return memory_.allocate(call, streams_.stream(call.stream));
      case CallRole::release: return memory_.free(call, streams_.stream(call.stream));
      case CallRole::record_event:
      case CallRole::wait_event:
      case CallRole::synchronize_stream:
      case CallRole::synchronize_event:
      case CallRole::synchronize_context:
      case CallRole::query: return streams_.order(call);
      case CallRole::graph_change: return spend_us(call.call_us.value_or(call.host_us));
      case CallRole::host_function:
      case CallRole::other: return;
    }
  }

  const ApplicationRecording& recording_;
  StandInStreams streams_;
  StandInMemory memory_;
  std::vector<double> gaps_us_;
};

/// Runs an iteration as graphs, one for each segment between the host's waits.
class SegmentGraphs {
 public:
  explicit SegmentGraphs(const ApplicationRecording& recording)
      : recording_(recording), memory_(recording, {.allocated_once = true}) {
    for (const CallSegment& segment : segments_of(recording)) parts_.push_back(part_of(segment));
    if (!parts_.empty()) parts_.back().waits = ends_segment(recording.calls.back(), recording);
  }

  /// Sets what varies before launching a graph, and spends the host's own time before that.
  void operator()() {
    for (const Part& part : parts_) {
      spend_us(part.host_us);
      if (!part.exec) continue;
      for (const auto& [node, call] : part.varying) {
        set_in(part.exec.get(), node, recording_.calls[call], memory_.operands_of(call));
      }
      check(cudaGraphLaunch(part.exec.get(), stream_.get()));
      if (part.waits) check(cudaStreamSynchronize(stream_.get()));
    }
  }

 private:
  struct Part {
    double host_us = 0;
    bool waits = true;  ///< the host, at the end of the segment
    Graph graph;
    GraphExec exec;
    std::vector<std::pair<cudaGraphNode_t, std::size_t>> varying;  ///< nodes and their calls
  };

  Part part_of(const CallSegment& segment) const {
    Part part;
    part.host_us = segment.host_us;
    if (segment.nodes.empty()) return part;
    part.graph = make_graph();
    std::vector<cudaGraphNode_t> nodes;
    for (const SegmentNode& node : segment.nodes) {
      const RecordedCall& call = recording_.calls[node.call];
      std::vector<cudaGraphNode_t> after;
      for (const std::uint32_t earlier : node.after) after.push_back(nodes[earlier]);
      nodes.push_back(add_to(part.graph.get(), call, memory_.operands_of(node.call), after));
      if (varies(call)) part.varying.emplace_back(nodes.back(), node.call);
    }
    part.exec = instantiate(part.graph);
    return part;
  }

  const ApplicationRecording& recording_;
  StandInMemory memory_;
  Stream stream_ = make_stream();
  std::vector<Part> parts_;
};

class StreamPerEngine {
 public:
  explicit StreamPerEngine(const ApplicationRecording& recording)
      : recording_(recording),
        memory_(recording, {.allocated_once = true}),
        plan_(engine_plan(recording)),
        gaps_us_(own_gaps(recording)) {
    for (Stream& stream : streams_) stream = make_stream();
    for (const EngineStep& step : plan_) {
      if (step.needed) done_.try_emplace(step.call);
    }
  }

  /// Spends the host's own time and waits where the application does, each time for all.
  void operator()() {
    auto step = plan_.begin();
    for (std::uint32_t i = 0; i < recording_.calls.size(); ++i) {
      spend_us(gaps_us_[i]);
      const CallKind kind = recording_.calls[i].kind;
      const bool spends = kind == CallKind::query || kind == CallKind::change_graph;
      if (spends) spend_us(recording_.calls[i].host_us);
      for (; step != plan_.end() && step->call == i; ++step) {
        step->operation ? issue(*step) : wait(*step);
      }
    }
  }

 private:
  void issue(const EngineStep& step) const {
    const cudaStream_t stream = streams_[step.engine].get();
    for (const std::uint32_t call : step.after_calls) done_.at(call).wait_on(stream);
    enqueue(recording_.calls[step.call], memory_.operands_of(step.call), stream);
    if (step.needed) done_.at(step.call).record_on(stream);
  }

  void wait(const EngineStep& step) const {
    const cudaStream_t stream = streams_[step.engine].get();
    for (const std::uint32_t engine : step.join) {
      ends_[engine].record_on(streams_[engine].get());
      ends_[engine].wait_on(stream);
    }
    check(cudaStreamSynchronize(stream));
  }

  const ApplicationRecording& recording_;
  StandInMemory memory_;
  std::array<Stream, planned_engines> streams_;
  std::array<OrderingEvent, planned_engines> ends_;
  std::map<std::uint32_t, OrderingEvent> done_;  // by call, for those that others wait for
  std::vector<EngineStep> plan_;
  std::vector<double> gaps_us_;
};

template <typename Way>
SimulatedPass pass_of(const ApplicationRecording& recording, auto... rules) {
  return [way = std::make_shared<Way>(recording, rules...)] { (*way)(); };
}

}  // namespace

SimulatedPass make_pass(SimulatedWay way, const ApplicationRecording& recording) {
  switch (way) {
    case SimulatedWay::same_calls: return pass_of<CallsAgain>(recording, MemoryRules{});
    case SimulatedWay::pinned: return pass_of<CallsAgain>(recording, MemoryRules{.pinned = true});
    case SimulatedWay::pool: return pass_of<CallsAgain>(recording, MemoryRules{.pool = true});
    case SimulatedWay::graph:
    case SimulatedWay::graph_set: return pass_of<SegmentGraphs>(recording);
    case SimulatedWay::engines: return pass_of<StreamPerEngine>(recording);
  }
  return {};
}

}  // namespace trilane
