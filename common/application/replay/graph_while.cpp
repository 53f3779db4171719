// The candidate that repeats steps by a WHILE node, in place of a host that reads a word after
// each.
#include "common/application/iteration/call_traits.hpp"
#include "common/application/replay/candidates.hpp"
#include "common/application/replay/made_call.hpp"
#include "common/application/replay/replayed_memory.hpp"
#include "common/model/variant/lane_plan.hpp"

namespace trilane {

/// The code of kernels/graph_loop.cu for all architectures of this build; empty: without nvcc.
extern const unsigned char graph_loop_code[];
extern const std::size_t graph_loop_bytes;

namespace {

/// Turns of the loop if the iteration is a single step.
constexpr std::uint32_t turns_of_step = 16;
/// A host that reads more than this decides more than whether to go on.
constexpr std::uint64_t most_read = 64;

/// A step, made once or in a loop, and what the last one copies to the host.
struct LoopPart {
  CallSegment recorded, step, results;
  std::uint32_t turns = 1;
  std::uint32_t iterations = 1;  ///< that these turns are
};

bool is_result(const RecordedCall& call, const ApplicationRecording& recording) {
  return call.kind == CallKind::copy && copies_in(call) == 1 &&
         host_bytes(recording, call, Use::writes) > 0;
}

/// Takes the copies to the host off the step's end.
LoopPart part_of(const CallSegment& segment, const ApplicationRecording& recording) {
  LoopPart part{.recorded = segment, .step = segment, .results = {}};
  std::vector<SegmentNode>& nodes = part.step.nodes;
  while (!nodes.empty() && is_result(recording.calls[nodes.back().call], recording)) {
    part.results.nodes.insert(part.results.nodes.begin(), {.call = nodes.back().call, .after = {}});
    nodes.pop_back();
  }
  return part;
}

bool same_operation(const ObservedCall& one, const ObservedCall& other) {
  const auto facts = [](const ObservedCall& c) {
    return std::tie(c.kind, c.destination, c.source, c.bytes, c.height, c.destination_pitch,
                    c.source_pitch, c.depth, c.value, c.value_bytes, c.graph, c.launch.function,
                    c.launch.shared_bytes, c.launch.attributes);
  };
  return facts(one) == facts(other) && one.batch == nullptr && other.batch == nullptr &&
         std::ranges::equal(one.launch.grid, other.launch.grid) &&
         std::ranges::equal(one.launch.block, other.launch.block) &&
         std::ranges::equal(one.launch.arguments, other.launch.arguments);
}

bool same_step(const TakenIteration& taken, const CallSegment& one, const CallSegment& other) {
  return std::ranges::equal(
      one.nodes, other.nodes, [&](const SegmentNode& a, const SegmentNode& b) {
        return a.after == b.after && a.programmatic == b.programmatic &&
               same_operation(taken.observed.calls[a.call], taken.observed.calls[b.call]);
      });
}

std::vector<LoopPart> parts_of(const TakenIteration& taken) {
  std::vector<LoopPart> parts;
  for (const CallSegment& segment : segments_of(taken.recording)) {
    if (segment.nodes.empty()) continue;
    if (!parts.empty() && same_step(taken, parts.back().recorded, segment)) {
      ++parts.back().turns;
    } else {
      parts.push_back(part_of(segment, taken.recording));
    }
  }
  if (parts.size() == 1 && parts.front().turns == 1) {
    parts.front().turns = parts.front().iterations = turns_of_step;
  }
  return parts;
}

class GraphWhile final : public Candidate {
 public:
  explicit GraphWhile(const TakenIteration& taken)
      : Candidate(taken, HostKind::as_recorded),
        calls_(iteration_.calls()),
        stream_(stream_of(taken)) {
    TRILANE_DRIVER(cuCtxGetCurrent, &context_);
    CUmodule module = nullptr;
    TRILANE_DRIVER(cuModuleLoadData, &module, graph_loop_code);
    code_.reset(module);
    TRILANE_DRIVER(cuModuleGetFunction, &next_turn_, module, "trilane_next_turn");
    CUgraph graph = nullptr;
    TRILANE_DRIVER(cuGraphCreate, &graph, 0);
    graphs_.push_back(graph);
    graph_.reset(graph);
    const std::vector<LoopPart> parts = parts_of(taken);
    iterations_ = parts.front().iterations;
    std::vector<CUgraphNode> ends;
    for (const LoopPart& part : parts) {
      host_us_ += part.step.host_us;
      ends = part.turns == 1 ? add_segment(graph, part.step, calls_, ends, context_)
                             : std::vector{add_loop(part, ends)};
      if (part.results.nodes.empty()) continue;
      ends = add_segment(graph, part.results, calls_, ends, context_);
    }
    CUgraphExec exec = nullptr;
    TRILANE_DRIVER(cuGraphInstantiate, &exec, graph, 0);
    exec_.reset(exec);
    TRILANE_DRIVER(cuGraphUpload, exec, stream_);
    TRILANE_DRIVER(cuStreamSynchronize, stream_);
  }

  /// Spends the host's time before a step once for all of its turns.
  void run(double& issuing_us) override {
    const double now_us = recorder_now_us();
    const double start_us = wait_until(now_us + host_us_, now_us);
    TRILANE_DRIVER(cuGraphLaunch, exec_.get(), stream_);
    issuing_us += recorder_now_us() - start_us;
    TRILANE_DRIVER(cuStreamSynchronize, stream_);
  }

  std::uint32_t iterations() const override { return iterations_; }

  std::vector<Count> evidence() const override {
    GraphContent all;
    for (const CUgraph graph : graphs_) add_content(graph, all);
    std::vector<Count> facts{{"loops", graphs_.size() - 1}};
    std::ranges::copy(facts_of(all), std::back_inserter(facts));
    return facts;
  }

 private:
  CUgraphNode add_loop(const LoopPart& part, const std::vector<CUgraphNode>& behind) {
    CUgraphConditionalHandle loop = 0;
    TRILANE_DRIVER(cuGraphConditionalHandleCreate, &loop, graph_.get(), context_, 1,
                   CU_GRAPH_COND_ASSIGN_DEFAULT);
    CUgraphNodeParams node_params{};
    node_params.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
    node_params.conditional.handle = loop;
    node_params.conditional.type = CU_GRAPH_COND_TYPE_WHILE;
    node_params.conditional.size = 1;
    node_params.conditional.ctx = context_;
    CUgraphNode node = nullptr;
    TRILANE_DRIVER(cuGraphAddNode, &node, graph_.get(), behind.data(), nullptr, behind.size(),
                   &node_params);
    const CUgraph body = node_params.conditional.phGraph_out[0];
    graphs_.push_back(body);
    ReplayedCall next_turn;
    next_turn.kind = CallKind::kernel;
    next_turn.node_function = next_turn_;
    const CUdeviceptr left = left_.emplace_back(sizeof part.turns).address();
    TRILANE_DRIVER(cuMemcpy, left, reinterpret_cast<CUdeviceptr>(&part.turns), sizeof part.turns);
    for (const std::uint64_t word :
         {std::uint64_t{loop}, std::uint64_t{left}, std::uint64_t{part.turns}}) {
      next_turn.parameters.push_back(next_turn.arguments.size());
      std::ranges::copy(std::as_bytes(std::span(&word, 1)),
                        std::back_inserter(next_turn.arguments));
    }
    // Beside the step: in the application a kernel of the step would set the condition.
    add_node(body, next_turn, {}, context_);
    add_segment(body, part.step, calls_, {}, context_);
    return node;
  }

  CUcontext context_ = nullptr;
  std::vector<ReplayedCall> calls_;
  CUstream stream_;
  OwnModule code_;
  CUfunction next_turn_ = nullptr;
  std::deque<OwnMemory> left_;  // for each loop: the number of turns left
  OwnGraph graph_;
  std::vector<CUgraph> graphs_;  // it and the bodies of its loops
  OwnGraphExec exec_;
  double host_us_ = 0;
  std::uint32_t iterations_ = 1;
};

void expect_loops(const TakenIteration& taken, Plan& plan) {
  const ApplicationRecording& recording = taken.recording;
  const std::vector<LoopPart> parts = parts_of(taken);
  plan.model.issuer = Issuer::graph_loop;
  plan.model.chaining = Chaining::recorded_one_wait;
  if (parts.front().iterations > 1) plan.iterations = parts.front().iterations;
  GraphContent content;
  std::uint64_t loops = 0, ends = 0;
  for (const LoopPart& part : parts) {
    if (part.turns == 1) {
      ends = expect_segment(recording, part.step, ends, content);
    } else {
      expect_segment(recording, part.step, 0, content);
      content.edges += ends;
      content.nodes += 2;  // the loop, and the kernel that ends it
      ++content.kernels;
      ++loops;
      ends = 1;
    }
    if (!part.results.nodes.empty()) ends = expect_segment(recording, part.results, ends, content);
  }
  plan.calls = {{"cuGraphLaunch", 1}};
  expect(plan, {{"loops", loops}});
  expect(plan, facts_of(content));
  plan.facts.back().at_least = true;  // see graph_by_graph.cpp
}

/// Returns why the host may do more between steps than to read a word.
std::string why_no_step(const LoopPart& part, const ApplicationRecording& recording) {
  if (part.turns == 1) return {};
  std::uint64_t read = 0;
  for (const SegmentNode& node : part.results.nodes) {
    read += host_bytes(recording, recording.calls[node.call], Use::writes);
  }
  if (read == 0) return "the host reads nothing after a step";
  if (read > most_read) return "the host reads more after a step than whether to go on";
  bool launches = false;
  for (const SegmentNode& node : part.step.nodes) {
    const RecordedCall& call = recording.calls[node.call];
    if (uses_host(call, recording)) return call.name + ": it uses the host's memory";
    launches = launches || call.kind == CallKind::kernel || call.kind == CallKind::graph_launch;
  }
  return launches ? "" : "no kernel could set the condition of a loop";
}

std::string why_no_loop(const TakenIteration& taken) {
  const ApplicationRecording& recording = taken.recording;
  if (graph_loop_bytes == 0) return "this build has no code for it";
  if (driver().cuGraphConditionalHandleCreate == nullptr || driver().cuGraphAddNode == nullptr) {
    return "the driver has no conditional nodes";
  }
  if (const std::string why = why_no_graph(recording); !why.empty()) return why;
  if (const std::string why = why_host_acts(recording); !why.empty()) return why;
  if (!waits_for_all(recording)) return "the loop runs ahead";
  if (any_call(recording,
               [](const auto& call) { return allocates(call.kind) || frees(call.kind); }))
    return "memory is allocated or freed in the iteration";
  const std::vector<LoopPart> parts = parts_of(taken);
  if (std::ranges::none_of(parts, [](const LoopPart& part) { return part.turns > 1; })) {
    return "no step is repeated";
  }
  for (const LoopPart& part : parts) {
    if (const std::string why = why_no_step(part, recording); !why.empty()) return why;
  }
  return {};
}

constexpr CandidateRow rows_of_loops[] = {{.way = ReplayWay::graph_while,
                                           .why_not = why_no_loop,
                                           .expect = expect_loops,
                                           .make = make_as<GraphWhile>}};

}  // namespace

std::span<const CandidateRow> graph_while() { return rows_of_loops; }

}  // namespace trilane
