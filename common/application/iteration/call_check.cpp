#include "common/application/iteration/call_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/application/iteration/records/call_kinds.hpp"
#include "common/base/json/misfit.hpp"

namespace trilane {
namespace {

void check_three(std::string_view member, const std::vector<std::uint32_t>& numbers, bool kernel) {
  const std::size_t wanted = kernel ? 3 : 0;
  if (numbers.size() != wanted) {
    throw Misfit{step(member),
                 fmt::format("has {} numbers but must have {}", numbers.size(), wanted)};
  }
  if (std::ranges::count(numbers, 0u) > 0) throw Misfit{step(member), "holds a 0"};
}

void check_use(const ApplicationRecording& recording, const UsedRange& use) {
  require_below("memory", use.memory, recording.memory.size(), "pieces of memory");
  const std::uint64_t bytes = recording.memory[use.memory].bytes;
  if (bytes == 0) return;  // unknown
  if (use.offset > bytes || use.bytes > bytes - use.offset) {
    throw Misfit{".bytes", fmt::format("is {} from {} on, and the memory has {}", use.bytes,
                                       use.offset, bytes)};
  }
}

void check_launch(const ApplicationRecording& recording, const RecordedCall& call) {
  require_below("kernel", call.kernel, recording.kernels.size(), "kernels");
  const std::size_t parameters = recording.kernels[call.kernel].parameters.size();
  if (call.arguments.size() != parameters) {
    throw Misfit{".arguments", fmt::format("has {} entries, and the kernel {} parameters",
                                           call.arguments.size(), parameters)};
  }
}

void check_uses(const ApplicationRecording& recording, const std::vector<UsedRange>& uses) {
  for (std::size_t i = 0; i < uses.size(); ++i) {
    within("uses", [&] { within(i, [&] { check_use(recording, uses[i]); }); });
  }
}

}  // namespace

void require_below(std::string_view member, std::uint64_t value, std::size_t count,
                   std::string_view what) {
  if (value < count) return;
  throw Misfit{step(member), fmt::format("is {}, and there are {} {}", value, count, what)};
}

void check_graph(const ApplicationRecording& recording, const RecordedGraph& graph) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const RecordedNode& node = graph.nodes[i];
    within("nodes", [&] {
      within(i, [&] {
        if (node.kind == CallKind::kernel) {
          require_below("kernel", node.kernel, recording.kernels.size(), "kernels");
        }
        check_uses(recording, node.uses);
      });
    });
  }
}

void check_call(const ApplicationRecording& recording, const RecordedCall& call) {
  if (names_stream(call.kind)) {
    require_below("stream", call.stream, recording.streams.size(), "streams");
  }
  if (names_event(call.kind)) {
    require_below("event", call.event, recording.calls.size(), "calls");
  }
  if (call.kind == CallKind::kernel) check_launch(recording, call);
  if (call.graph) require_below("graph", *call.graph, recording.graphs.size(), "graphs");
  check_uses(recording, call.uses);
}

void cross_check(const RecordedCall& call) {
  const bool kernel = call.kind == CallKind::kernel;
  check_three("grid", call.grid, kernel);
  check_three("block", call.block, kernel);
  if (!kernel && !call.arguments.empty()) throw Misfit{".arguments", "is only for kernels"};
  if (!kernel && call.attributes) throw Misfit{".attributes", "is only for kernels"};
  if (call.kind != CallKind::graph_launch && call.graph) {
    throw Misfit{".graph", "is only for graph launches"};
  }
  if (call.kind != CallKind::graph_launch && call.executable) {
    throw Misfit{".executable", "is only for graph launches"};
  }
  if (call.runtime_us && !call.own_us) throw Misfit{".runtime_us", "is there without own_us"};
}

void cross_check(const LaunchAttributes& attributes) {
  check_three("cluster", attributes.cluster, !attributes.cluster.empty());
}

void cross_check(const RecordedNode& node) {
  const bool kernel = node.kind == CallKind::kernel;
  check_three("grid", node.grid, kernel);
  check_three("block", node.block, kernel);
  if (node.kind == CallKind::graph_launch) throw Misfit{".kind", "is a launch within a graph"};
}

void cross_check(const RecordedGraph& graph) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const auto& after = graph.nodes[i].after;
    const auto later = std::ranges::find_if(after, [&](std::uint32_t node) { return node >= i; });
    if (later == after.end()) continue;
    throw Misfit{fmt::format(".nodes[{}].after[{}]", i, later - after.begin()),
                 fmt::format("is {}, and only earlier nodes may be there", *later)};
  }
}

}  // namespace trilane
