// Stream capture: its rules, all in one place.
#pragma once

#include "common/device/simulator/machine/machine.hpp"

namespace trilane::simulator {

/// Makes a node of `task` in the capture of `stream`, after what that stream and its waits hold.
/// Throws Refusal where the capture has been invalidated.
void capture_node(Machine& machine, cudaStream_t stream, Task task);

/// Waiting for or querying a capturing stream: invalidates its capture and refuses
/// (cudaErrorStreamCaptureUnsupported). Nothing for a stream that is not capturing.
void forbid_in_capture(Machine& machine, CUstream_st& stream);

/// The same for an event that was last recorded inside a capture (cudaErrorCapturedEvent).
void forbid_in_capture(Machine& machine, CUevent_st& event);

/// The same for the whole device, which includes every capturing stream (CUDA Programming Guide,
/// "Prohibited and Unhandled Operations").
void forbid_in_any_capture(Machine& machine);

/// Whether a potentially unsafe call of this thread meets a capture that forbids it: a global one
/// of any thread, a thread-local one of this thread, unless the thread's own mode is relaxed. The
/// capture is invalidated then.
bool unsafe_call_forbidden(Machine& machine);

/// Makes this thread's mode of such calls `mode` and returns the one before.
cudaStreamCaptureMode exchange_capture_mode(cudaStreamCaptureMode mode);

/// cudaStreamBeginCapture and cudaStreamEndCapture. Ending returns the graph, which the machine
/// owns; it takes all streams out of the capture, whatever is wrong with it.
void begin_capture(Machine& machine, CUstream_st& stream, cudaStreamCaptureMode mode);
cudaGraph_t end_capture(Machine& machine, CUstream_st& stream);

/// cudaEventRecord on a capturing stream: a captured event.
void capture_record(CUevent_st& event, const CUstream_st& stream);

/// cudaStreamWaitEvent where the stream or the event belongs to a capture: pulls the stream into
/// the event's capture. Returns false where neither does, and nothing is done.
bool capture_wait(Machine& machine, CUstream_st& stream, const CUevent_st& event);

/// cudaStreamIsCapturing. Refuses (cudaErrorStreamCaptureImplicit) for the legacy stream while a
/// blocking one captures; that spoils nothing.
cudaStreamCaptureStatus capture_status(const Machine& machine, const CUstream_st& stream);

/// A stream is destroyed: its nodes stay. Without its origin nobody could end a capture, so that
/// takes the capture along.
void leave_capture(Machine& machine, CUstream_st& stream);

/// Whether what is captured after `tail` depends on `node`, of the same graph.
bool comes_after(const NodeFrontier& tail, cudaGraphNode_t node);

}  // namespace trilane::simulator
