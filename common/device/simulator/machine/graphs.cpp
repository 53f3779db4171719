#include "common/device/simulator/machine/graphs.hpp"

namespace trilane::simulator {

namespace {

/// Returns true if the device accesses both in the same way, which must not change for a copy node.
bool are_mapped_alike(Place one, Place other) {
  return is_on_device(one) == is_on_device(other) &&
         (one == Place::pageable) == (other == Place::pageable);
}

thread_local cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

/// Throws if the capture is invalid (CUDA Programming Guide, "Invalidation"): its use is an error.
void require_valid(const Capture& capture) {
  require(!capture.invalidated, cudaErrorStreamCaptureInvalidated);
}

[[noreturn]] void spoil(Capture& capture, cudaError_t code) {
  capture.invalidated = true;
  refuse(code);
}

/// Returns true if some work is not joined back: a node without successors, outside the origin's
/// tail. CUDA Programming Guide, "Cross-stream Dependencies and Events".
bool has_loose_ends(const Capture& capture) {
  std::set<cudaGraphNode_t> loose;
  for (const auto& node : capture.graph->nodes) {
    for (cudaGraphNode_t before : node->dependencies) loose.erase(before);
    loose.insert(node.get());
  }
  for (cudaGraphNode_t node : capture.origin->capture_tail) loose.erase(node);
  return !loose.empty();
}

void take_out(Machine& m, const std::shared_ptr<Capture>& capture) {
  for (cudaStream_t stream : capture->streams) {
    stream->capture = nullptr;
    stream->capture_tail.clear();
  }
  std::erase(m.captures, capture);
}

}  // namespace

cudaGraphNodeType type_of(const TaskPtr& task) {
  if (!task) return cudaGraphNodeTypeEmpty;
  switch (task->kind) {
    case Kind::kernel: return cudaGraphNodeTypeKernel;
    case Kind::memset: return cudaGraphNodeTypeMemset;
    case Kind::host_function: return cudaGraphNodeTypeHost;
    case Kind::allocate: return cudaGraphNodeTypeMemAlloc;
    case Kind::release: return cudaGraphNodeTypeMemFree;
    case Kind::copy_in:
    case Kind::copy_out:
    case Kind::copy_within: break;
  }
  return cudaGraphNodeTypeMemcpy;
}

bool is_about_memory(const TaskPtr& task) {
  return task && (task->kind == Kind::allocate || task->kind == Kind::release);
}

cudaGraphNode_t add_node(CUgraph_st& graph, TaskPtr task, NodeFrontier dependencies) {
  auto node = std::make_unique<CUgraphNode_st>(graph.nodes.size() + 1, std::move(task),
                                               std::move(dependencies));
  node->label = Labelled::current();
  return graph.nodes.emplace_back(std::move(node)).get();
}

std::vector<CUgraphExec_st::Node> nodes_of(const CUgraph_st& graph) {
  std::map<cudaGraphNode_t, std::size_t> places;
  std::vector<CUgraphExec_st::Node> nodes;
  const auto place = [&](const std::unique_ptr<CUgraphNode_st>& node) {
    if (places.contains(node.get())) return;
    CUgraphExec_st::Node copy{node.get(), node->task, {}, node->label};
    for (cudaGraphNode_t before : node->dependencies) {
      const auto found = places.find(before);
      if (found == places.end()) return;
      copy.dependencies.push_back(found->second);
    }
    places[node.get()] = nodes.size();
    nodes.push_back(std::move(copy));
  };
  while (nodes.size() < graph.nodes.size()) {
    const std::size_t placed = nodes.size();
    std::ranges::for_each(graph.nodes, place);
    if (nodes.size() == placed) refuse(cudaErrorInvalidValue);
  }
  return nodes;
}

bool may_become(Machine& m, const Task& task, const Task& other) {
  if (task.kind != other.kind || task.device != other.device || task.to_device != other.to_device) {
    return false;
  }
  switch (task.kind) {
    case Kind::copy_in:
    case Kind::copy_out:
    case Kind::copy_within:
      return are_mapped_alike(task.from, other.from) && are_mapped_alike(task.to, other.to);
    case Kind::memset:
      if (task.to != other.to) return false;
      // "Opportunistically allowed".
      return task.bytes == other.bytes || m.draw->may();
    default: return true;
  }
}

double update_node_us(const Machine& m) {
  const auto& costs = m.settings.profile.calls_us;
  const auto known = costs.find("update");
  return known != costs.end() ? known->second : m.settings.profile.graph.instantiate_node_us;
}

bool comes_after(const NodeFrontier& tail, cudaGraphNode_t node) {
  std::set<cudaGraphNode_t> seen;
  NodeFrontier open = tail;
  while (!open.empty()) {
    cudaGraphNode_t next = open.back();
    open.pop_back();
    if (next == node) return true;
    // A node has a higher number than all of its dependencies.
    if (next->number < node->number || !seen.insert(next).second) continue;
    open.insert(open.end(), next->dependencies.begin(), next->dependencies.end());
  }
  return false;
}

void capture_node(Machine& m, CUstream_st& stream, Task task) {
  Capture& capture = *stream.capture;
  require_valid(capture);
  m.spend_for("capture");
  stream.capture_tail = {
      add_node(*capture.graph, std::make_shared<const Task>(std::move(task)), stream.capture_tail)};
}

void let_overlap(CUstream_st& stream) {
  CUgraphNode_st& node = *stream.capture_tail.front();
  if (node.dependencies.size() != 1) return;
  cudaGraphNode_t before = node.dependencies.front();
  if (type_of(before->task) == cudaGraphNodeTypeKernel) node.overlaps = before;
}

CUstream_st& not_capturing(CUstream_st& stream) {
  if (stream.capture) spoil(*stream.capture, cudaErrorStreamCaptureUnsupported);
  return stream;
}

CUevent_st& not_captured(CUevent_st& event) {
  if (event.capture) spoil(*event.capture, cudaErrorCapturedEvent);
  return event;
}

void forbid_in_any_capture(Machine& m, int device) {
  bool found = false;
  for (const auto& capture : m.captures) {
    const auto is_own = [device](cudaStream_t stream) { return stream->device == device; };
    if (std::ranges::any_of(capture->streams, is_own)) found = capture->invalidated = true;
  }
  if (found) refuse(cudaErrorStreamCaptureUnsupported);
}

bool unsafe_call_forbidden(Machine& m) {
  // CUDA Runtime API, Stream Management, cudaThreadExchangeStreamCaptureMode.
  if (thread_mode == cudaStreamCaptureModeRelaxed) return false;
  bool forbidden = false;
  for (const auto& capture : m.captures) {
    const bool own = capture->thread == this_thread();
    const bool applies = own ? capture->mode != cudaStreamCaptureModeRelaxed
                             : capture->mode == cudaStreamCaptureModeGlobal &&
                                   thread_mode == cudaStreamCaptureModeGlobal;
    if (applies) forbidden = capture->invalidated = true;
  }
  return forbidden;
}

cudaStreamCaptureMode exchange_capture_mode(cudaStreamCaptureMode mode) {
  return std::exchange(thread_mode, mode);
}

void begin_capture(Machine& m, CUstream_st& stream, cudaStreamCaptureMode mode) {
  require(mode >= cudaStreamCaptureModeGlobal && mode <= cudaStreamCaptureModeRelaxed);
  if (m.is_legacy(stream)) refuse(cudaErrorStreamCaptureUnsupported);
  if (stream.capture) spoil(*stream.capture, cudaErrorIllegalState);
  auto graph = std::make_unique<CUgraph_st>(++m.numbered);
  stream.capture =
      std::make_shared<Capture>(&stream, mode, this_thread(), std::move(graph), std::set{&stream});
  m.captures.push_back(stream.capture);
}

cudaGraph_t end_capture(Machine& m, CUstream_st& stream) {
  if (!stream.capture) refuse(cudaErrorIllegalState);
  const std::shared_ptr<Capture> capture = stream.capture;
  if (capture->origin != &stream) spoil(*capture, cudaErrorStreamCaptureUnmatched);
  if (capture->mode != cudaStreamCaptureModeRelaxed && capture->thread != this_thread()) {
    spoil(*capture, cudaErrorStreamCaptureWrongThread);
  }
  const bool loose = has_loose_ends(*capture);
  take_out(m, capture);
  require_valid(*capture);
  if (loose) refuse(cudaErrorStreamCaptureUnjoined);
  m.graphs.push_back(std::move(capture->graph));
  return m.graphs.back().get();
}

bool capture_wait(Machine& m, CUstream_st& stream, const CUevent_st& event) {
  if (!stream.capture && !event.capture) return false;
  if (stream.capture) require_valid(*stream.capture);
  const bool under_way = event.capture && includes(m.captures, event.capture);
  // An event of an ended capture represents no work for which a stream could wait.
  if (!stream.capture && !under_way) refuse(cudaErrorCapturedEvent);
  if (!under_way) {
    // Work outside the capture cannot be part of its graph.
    if (event.recorded || event.capture) spoil(*stream.capture, cudaErrorStreamCaptureIsolation);
    return true;
  }
  require_valid(*event.capture);
  if (stream.capture && stream.capture != event.capture) {
    event.capture->invalidated = true;
    spoil(*stream.capture, cudaErrorStreamCaptureMerge);
  }
  if (m.is_legacy(stream)) spoil(*event.capture, cudaErrorStreamCaptureImplicit);
  stream.capture = event.capture;
  stream.capture->streams.insert(&stream);
  merge(stream.capture_tail, event.capture_work);
  return true;
}

cudaStreamCaptureStatus capture_status(Machine& m, const CUstream_st& stream) {
  const bool is_implied = std::ranges::any_of(m.streams, [&stream](const auto& other) {
    return other->blocking && other->capture && other->device == stream.device;
  });
  if (m.is_legacy(stream) && is_implied) refuse(cudaErrorStreamCaptureImplicit);
  if (!stream.capture) return cudaStreamCaptureStatusNone;
  return stream.capture->invalidated ? cudaStreamCaptureStatusInvalidated
                                     : cudaStreamCaptureStatusActive;
}

void leave_capture(Machine& m, CUstream_st& stream) {
  if (!stream.capture) return;
  if (stream.capture->origin == &stream) return take_out(m, std::shared_ptr(stream.capture));
  stream.capture->streams.erase(&stream);
}

}  // namespace trilane::simulator
