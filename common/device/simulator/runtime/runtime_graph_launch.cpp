// Launches of graphs.
#include <fmt/format.h>

#include <utility>

#include "common/device/simulator/machine/call.hpp"
#include "common/device/simulator/machine/capture.hpp"
#include "common/device/simulator/machine/graph_memory.hpp"
#include "common/device/simulator/machine/graph_nodes.hpp"

using namespace trilane;
using namespace trilane::simulator;

namespace {

/// Returns true for a copy between the device and pageable memory.
bool is_pageable_copy(const CUgraphExec_st::Node& node) {
  return node.task && node.task->pageable && node.task->kind != Kind::copy_within;
}

/// Enqueues a node. Returns the predecessors of its successors: its operation or, for an empty
/// node, `after`.
Frontier enqueue_node(Machine& m, const CUgraphExec_st& executable, std::size_t place,
                      const CUstream_st& stream, Frontier after) {
  const CUgraphExec_st::Node& node = executable.nodes[place];
  if (!node.task) return after;
  const auto operation = std::make_shared<Operation>();
  operation->task = node.task;
  operation->stream = stream.number;
  operation->launch = m.launches;
  operation->graph_node = executable.number << 32 | (place + 1);
  operation->label = node.label;
  operation->lane =
      fmt::format("graph {} node {} on stream {}", executable.number, place + 1, stream.number);
  operation->after = std::move(after);
  m.issue(operation);
  return {operation};
}

/// Turns each node into an operation, ordered only by the graph's edges. The roots come after the
/// stream and after the executable's last launch.
///
/// Copies of pageable memory in a launch are not documented. The measured driver treats them as on
/// a stream: it stages copies in, and waits for copies out.
void launch(Machine& m, CUgraphExec_st& executable, CUstream_st& stream) {
  prepare_graph_memory(m, executable, stream);
  if (executable.nodes.empty()) return;
  Frontier before = m.tail_of(stream);
  merge(before, executable.last);
  ++m.launches;
  std::vector<Frontier> ends;
  std::vector<bool> is_leaf(executable.nodes.size(), true);
  Frontier pageable;
  for (const CUgraphExec_st::Node& node : executable.nodes) {
    Frontier after = node.dependencies.empty() ? before : Frontier{};
    for (std::size_t place : node.dependencies) {
      merge(after, ends[place]);
      is_leaf[place] = false;
    }
    ends.push_back(enqueue_node(m, executable, ends.size(), stream, std::move(after)));
    if (!is_pageable_copy(node)) continue;
    merge(pageable, ends.back());
    if (node.task->kind == Kind::copy_out) m.clock_waits_for(ends.back());
  }
  Frontier leaves;
  for (std::size_t place = 0; place < ends.size(); ++place) {
    if (is_leaf[place]) merge(leaves, ends[place]);
  }
  stream.tail = executable.last = leaves;
  note_graph_launch(m, executable, leaves);
  m.may_wait_for(pageable);
}

}  // namespace

cudaError_t CUDARTAPI cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t stream) {
  return call([&](Machine& m) {
    CUgraphExec_st& executable = executable_of(m, handle);
    forbid_in_capture(stream_of(m, stream));
    launch(m, executable, stream_of(m, stream));
  });
}
