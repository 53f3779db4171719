#include "common/application/replay/candidates.hpp"

#include <algorithm>
#include <optional>

#include "common/application/iteration/call_segments.hpp"
#include "common/application/iteration/call_traits.hpp"
#include "common/application/iteration/races.hpp"
#include "common/application/replay/application_pools.hpp"
#include "common/application/replay/replayed_memory.hpp"
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

std::string why_no_pool(const TakenIteration& taken) {
  if (any_call(taken.recording, is(CallKind::allocate))) {
    if (taken.recording.streams.size() <= 1) return {};
    return "the iteration uses several streams, and which of them frees the memory is not known";
  }
  if (!any_call(taken.recording, is(CallKind::allocate_async))) {
    return "no device memory is allocated in the iteration";
  }
  const bool kept = std::ranges::all_of(taken.observed.calls, [](const ObservedCall& call) {
    return call.kind != CallKind::allocate_async ||
           keeps_its_memory(pool_behind(reinterpret_cast<CUmemoryPool>(call.pool)));
  });
  return kept ? "its pool already keeps its memory" : "";
}

/// Returns the pairs of operations that race for the iteration's own allocations; nothing if not
/// all were examined.
std::optional<std::uint64_t> races_for_new_memory(const ApplicationRecording& recording) {
  const Races races = races_in(recording, HappensBefore(recording, 2));
  if (races.cut) return std::nullopt;
  std::uint64_t count = 0;
  for (const RecordedRace& race : races.found) {
    if (recording.memory[race.memory].within) count += race.count;
  }
  return count;
}

/// Returns true if only the host's waits keep operations of several streams apart that use the
/// iteration's own allocations. What they find there without the waits may be an invalid index or
/// address, whereas other memory holds what the previous iteration left.
bool needs_its_waits(ApplicationRecording recording) {
  if (recording.streams.size() < 2) return false;
  const auto before = races_for_new_memory(recording);
  for (RecordedCall& call : recording.calls) {
    if (only_waits(call.kind)) call.kind = CallKind::other;
    call.synchronous = false;
  }
  recording.calls.emplace_back().kind = CallKind::synchronize_context;  // the last wait stays
  const auto after = races_for_new_memory(recording);
  return !before || !after || *after > *before;
}

bool has_operations(const CallSegment& segment) { return !segment.nodes.empty(); }

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
    graphs += has_operations(segment) ? 1 : 0;
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

std::string why_not(ReplayWay way, const TakenIteration& taken) {
  const ApplicationRecording& recording = taken.recording;
  const bool something_varies = any_call(recording, varies);
  switch (way) {
    case ReplayWay::calls: return {};
    case ReplayWay::graph:
      if (something_varies) {
        return "arguments or pointers vary from iteration to iteration; see graph_set";
      }
      return why_no_graph(recording);
    case ReplayWay::graph_set:
      if (!something_varies) return "nothing varies from iteration to iteration; see graph";
      return why_no_graph(recording);
    case ReplayWay::pinned:
      if (any_call(recording, [&](const RecordedCall& c) { return is_pageable(c, recording); })) {
        return {};
      }
      return "no copy uses pageable memory";
    case ReplayWay::pool: return why_no_pool(taken);
    case ReplayWay::fewer_waits:
      if (runs_ahead(recording)) return "the loop runs ahead: it waits for earlier work only";
      if (std::ranges::count_if(segments_of(recording), has_operations) <= 1) {
        return "the iteration waits once";
      }
      if (!needs_its_waits(recording)) return {};
      return "operations of several streams would use memory before its data is ready";
  }
  return {};
}

std::unique_ptr<Candidate> make_candidate(ReplayWay way, const TakenIteration& taken) {
  switch (way) {
    case ReplayWay::graph:
    case ReplayWay::graph_set: return graph_by_graph(way, taken);
    case ReplayWay::calls:
    case ReplayWay::pinned:
    case ReplayWay::pool:
    case ReplayWay::fewer_waits: return call_by_call(way, taken);
  }
  return nullptr;
}

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
