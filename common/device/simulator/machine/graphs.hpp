// The nodes of graphs and of executable graphs, and the rules of stream capture, which makes them.
#pragma once

#include "common/device/simulator/machine/machine.hpp"

namespace trilane::simulator {

/// Returns the type of a node with that task; null: an empty node.
cudaGraphNodeType type_of(const TaskPtr& task);

/// Returns true if it is the task of an allocation node or of a free node.
bool is_about_memory(const TaskPtr& task);

/// Adds a node to a graph. `task` is null for an empty node.
cudaGraphNode_t add_node(CUgraph_st& graph, TaskPtr task, NodeFrontier dependencies);

/// Returns copies of a graph's nodes, each after all its dependencies, otherwise in order of
/// creation. Throws Refusal (cudaErrorInvalidValue) if the graph has a cycle.
std::vector<CUgraphExec_st::Node> nodes_of(const CUgraph_st& graph);

/// Returns true if a node of an executable graph may change from `task` to `other`, by the
/// conditions in CUDA Runtime API, Graph Management, cudaGraphExecUpdate and
/// cudaGraphExec...SetParams. If they leave that open, the draw decides.
bool may_become(Machine& machine, const Task& task, const Task& other);

/// Returns the host time to update an executable graph's node: "update", or else to instantiate it.
double update_node_us(const Machine& machine);

/// Returns true if a node after `tail` depends on `node` of the same graph.
bool comes_after(const NodeFrontier& tail, cudaGraphNode_t node);

/// Makes a node of `task` in the capture of `stream`, after the work and the waits of that stream.
/// Throws Refusal if the capture has been invalidated.
void capture_node(Machine& machine, CUstream_st& stream, Task task);

/// Makes the edge to the last captured node programmatic, if it is the only one, from a kernel.
void let_overlap(CUstream_st& stream);

/// Refuses to wait for or query a capturing stream (cudaErrorStreamCaptureUnsupported), and
/// invalidates its capture. Returns the stream if it is not capturing.
CUstream_st& not_capturing(CUstream_st& stream);

/// Does the same for an event that was last recorded inside a capture (cudaErrorCapturedEvent).
CUevent_st& not_captured(CUevent_st& event);

/// Does the same for a whole device, and thus for each of its capturing streams (CUDA Programming
/// Guide, "Prohibited and Unhandled Operations").
void forbid_in_any_capture(Machine& machine, int device);

/// Returns true if a capture forbids potentially unsafe calls of this thread: a global one of any
/// thread, or a thread-local one of this thread, unless the mode is relaxed. Invalidates it.
bool unsafe_call_forbidden(Machine& machine);

/// Sets this thread's mode for such calls and returns the previous one.
cudaStreamCaptureMode exchange_capture_mode(cudaStreamCaptureMode mode);

/// Implement cudaStreamBeginCapture and cudaStreamEndCapture. Ending takes all streams out of the
/// capture, even if it fails. It returns the graph, which the machine owns.
void begin_capture(Machine& machine, CUstream_st& stream, cudaStreamCaptureMode mode);
cudaGraph_t end_capture(Machine& machine, CUstream_st& stream);

/// Implements cudaStreamWaitEvent if the stream or the event belongs to a capture: adds the stream
/// to the event's capture. Otherwise returns false and does nothing.
bool capture_wait(Machine& machine, CUstream_st& stream, const CUevent_st& event);

/// Implements cudaStreamIsCapturing. Refuses (cudaErrorStreamCaptureImplicit) for the legacy stream
/// while a blocking stream is capturing, but does not invalidate the capture.
cudaStreamCaptureStatus capture_status(Machine& machine, const CUstream_st& stream);

/// Takes a destroyed stream out of its capture. Destroying the origin ends the capture.
void leave_capture(Machine& machine, CUstream_st& stream);

}  // namespace trilane::simulator
