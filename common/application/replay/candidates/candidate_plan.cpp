#include <algorithm>

#include "common/application/iteration/order/call_segments.hpp"
#include "common/application/iteration/order/call_traits.hpp"
#include "common/application/replay/candidates/candidates.hpp"
#include "common/application/replay/iteration/replayed_memory.hpp"
#include "common/base/text/quoting.hpp"
#include "common/model/variant/lane_plan.hpp"

namespace trilane {

namespace {

std::uint64_t count_of(const ApplicationRecording& recording, auto holds) {
  return static_cast<std::uint64_t>(std::ranges::count_if(recording.calls, holds));
}

auto is(CallKind kind) {
  return [=](const RecordedCall& call) { return call.kind == kind; };
}

Count operations_of(const ApplicationRecording& recording) {
  return {"operations", count_of(recording, [](const RecordedCall& call) {
            return traits_of(call.kind).operation.has_value();
          })};
}

std::uint64_t waits_of(const ApplicationRecording& recording) {
  return count_of(recording, [](const RecordedCall& call) {
    return only_waits(call.kind) || call.synchronous;
  });
}

void add_kernel(const RecordedCall& call, const ApplicationRecording& recording,
                GraphContent& content) {
  ++content.kernels;
  if (priority_of(call, recording) < 0) ++content.prioritised;
  if (!call.attributes) return;
  if (call.attributes->cooperative) ++content.cooperative;
  const std::vector<std::uint32_t>& cluster = call.attributes->cluster;
  if (std::ranges::any_of(cluster, [](std::uint32_t blocks) { return blocks > 1; })) {
    ++content.clusters;
  }
}

/// Returns the number of nodes in a graph: one for each copy of a batch, otherwise one per
/// operation.
std::uint64_t nodes_of(const RecordedCall& call) {
  return std::max<std::uint64_t>(1, copies_in(call));
}

void add_node(const ApplicationRecording& recording, const CallSegment& segment,
              const SegmentNode& node, GraphContent& content) {
  const RecordedCall& call = recording.calls[node.call];
  const std::uint64_t own = nodes_of(call);
  content.nodes += own;
  if (call.kind == CallKind::kernel) add_kernel(call, recording, content);
  if (call.kind == CallKind::copy) content.copies += own;
  if (call.kind == CallKind::memset) ++content.memsets;
  for (const std::uint32_t earlier : node.after) {
    content.edges += own * nodes_of(recording.calls[segment.nodes[earlier].call]);
  }
  if (node.programmatic) content.programmatic_edges += node.after.size();
}

void expect_graphs(const ApplicationRecording& recording, Plan& plan) {
  const bool sets = plan.model.issuer == Issuer::graph_set;
  GraphContent content;
  std::uint64_t graphs = 0, set = 0;
  for (const CallSegment& segment : segments_of(recording)) {
    graphs += segment.nodes.empty() ? 0 : 1;
    for (const SegmentNode& node : segment.nodes) {
      add_node(recording, segment, node, content);
      const RecordedCall& call = recording.calls[node.call];
      if (sets && varies(call)) set += nodes_of(call);
    }
  }
  plan.calls = {{"cuGraphLaunch", graphs}};
  expect(plan, {{"graphs", graphs}, {"nodes set", set}});
  expect(plan, facts_of(content));
  plan.facts.back().at_least = true;  // a kernel's own code may ask for clusters, too
}

}  // namespace

std::vector<Count> facts_of(const GraphContent& content) {
  return {{"nodes", content.nodes},
          {"kernel nodes", content.kernels},
          {"copy nodes", content.copies},
          {"memset nodes", content.memsets},
          {"edges", content.edges},
          {"programmatic edges", content.programmatic_edges},
          {"prioritised kernels", content.prioritised},
          {"cooperative kernels", content.cooperative},
          {"kernels in clusters", content.clusters}};
}

Plan plan_of(ReplayWay way, const TakenIteration& taken) {
  const ApplicationRecording& recording = taken.recording;
  Plan plan;
  plan.model = {.issuer = Issuer::host,
                .chaining = Chaining::recorded,
                .scratch = ScratchSource::recording,
                .mover = Mover::engines_per_chunk};
  plan.streams = static_cast<std::uint32_t>(recording.streams.size());
  plan.blocks = true;
  switch (way) {
    case ReplayWay::calls:
    case ReplayWay::pinned:
    case ReplayWay::pool:
      expect(plan, {operations_of(recording), {"host waits", waits_of(recording)}});
      if (way == ReplayWay::pool) plan.model.scratch = ScratchSource::pool;
      return plan;
    case ReplayWay::fewer_waits:
      plan.model.chaining = Chaining::recorded_one_wait;
      expect(plan, {operations_of(recording), {"host waits", 1}});
      return plan;
    case ReplayWay::graph:
    case ReplayWay::graph_set:
      plan.model.issuer = way == ReplayWay::graph ? Issuer::graph : Issuer::graph_set;
      if (any_call(recording, is(CallKind::allocate))) plan.model.scratch = ScratchSource::pass;
      expect_graphs(recording, plan);
      return plan;
  }
  return plan;
}

Workload workload_of(const ApplicationRecording& recording) {
  constexpr std::size_t most_name = 60;
  std::uint64_t in_bytes = 0, out_bytes = 0;
  for (const RecordedCall& call : recording.calls) {
    in_bytes += host_bytes(recording, call, Use::reads);
    out_bytes += host_bytes(recording, call, Use::writes);
  }
  Workload workload;
  workload.name = printable(recording.application, most_name);
  workload.recorded = RecordedCalls{.calls = recording.calls.size(),
                                    .kernels = count_of(recording, is(CallKind::kernel)),
                                    .copies = count_of(recording, is(CallKind::copy)),
                                    .memsets = count_of(recording, is(CallKind::memset)),
                                    .waits = waits_of(recording),
                                    .in_bytes = in_bytes,
                                    .out_bytes = out_bytes,
                                    .streams = recording.streams.size()};
  return workload;
}

}  // namespace trilane
