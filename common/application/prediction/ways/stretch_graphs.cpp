#include "common/application/prediction/ways/stretch_graphs.hpp"

#include <cuda_runtime_api.h>

#include "common/device/flavour/flavour.hpp"

namespace trilane {

StretchGraphs::StretchGraphs(const ApplicationRecording& recording)
    : recording_(recording), memory_(recording, {.allocated_once = true}) {
  for (const Stretch& stretch : stretches_of(recording)) {
    parts_.push_back(part_of(stretch));
    parts_.back().host_us = stretch.host_us;
  }
  if (!parts_.empty()) parts_.back().waits = ends_stretch(recording.calls.back(), recording);
}

StretchGraphs::Part StretchGraphs::part_of(const Stretch& stretch) const {
  Part part;
  if (stretch.nodes.empty()) return part;
  cudaGraph_t graph = nullptr;
  check(cudaGraphCreate(&graph, 0));
  part.graph.reset(graph);
  std::vector<cudaGraphNode_t> nodes;
  for (const StretchNode& node : stretch.nodes) {
    const RecordedCall& call = recording_.calls[node.call];
    std::vector<cudaGraphNode_t> after;
    for (const std::uint32_t earlier : node.after) after.push_back(nodes[earlier]);
    nodes.push_back(add_to(graph, call, memory_.operands_of(node.call), after));
    if (varies(call)) part.varying.push_back({nodes.back(), node.call});
  }
  cudaGraphExec_t exec = nullptr;
  check(cudaGraphInstantiate(&exec, graph, 0));
  part.exec.reset(exec);
  return part;
}

void StretchGraphs::run() {
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

}  // namespace trilane
