// Streams and events: creation, waits, order, and capture.
#include "common/device/simulator/machine/call.hpp"
#include "common/device/simulator/machine/graphs.hpp"

using namespace trilane::simulator;

namespace {

/// Removes operations that others in the tail come after, so that a waiting stream's does not grow.
void keep_last(Frontier& tail) {
  std::erase_if(tail, [all = tail](const OperationPtr& operation) {
    return std::ranges::any_of(all, [&](const OperationPtr& other) {
      return OperationOrder::before(operation->position, other->position);
    });
  });
}

cudaEvent_t make_event(Machine& m, unsigned int flags) {
  constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming;
  require((flags & ~known) == 0);
  return &m.make(m.events, m.gpu().number, (flags & cudaEventDisableTiming) == 0);
}

/// Returns the time when the event's work was done. Refuses if that is unknown.
double time_of(Machine& m, const CUevent_st& event) {
  if (!event.timing || event.capture || !event.recorded) refuse(cudaErrorInvalidResourceHandle);
  require(all_done(event.work), cudaErrorNotReady);
  return m.timeline.time_of(event.work, event.issued_us);
}

}  // namespace

cudaError_t CUDARTAPI cudaStreamCreate(cudaStream_t* stream) {
  return answer(stream, [](Machine& m) { return &m.make(m.streams, m.gpu().number, true); });
}

cudaError_t CUDARTAPI cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return answer(stream, [&](Machine& m) {
    require(flags == cudaStreamDefault || flags == cudaStreamNonBlocking);
    return &m.make(m.streams, m.gpu().number, flags == cudaStreamDefault);
  });
}

cudaError_t CUDARTAPI cudaStreamDestroy(cudaStream_t handle) {
  return call([&](Machine& m) {
    CUstream_st& stream = stream_of(m, handle);
    require(!m.is_legacy(stream) && handle != cudaStreamPerThread, cudaErrorInvalidResourceHandle);
    leave_capture(m, stream);
    // Its work continues without it.
    if (stream.blocking) merge(m.gpu_of(stream).destroyed_tails, stream.tail);
    remove(m.streams, handle);
  });
}

cudaError_t CUDARTAPI cudaStreamSynchronize(cudaStream_t handle) {
  return call([&](Machine& m) { m.wait_for(m.tail_of(not_capturing(stream_of(m, handle)))); });
}

cudaError_t CUDARTAPI cudaStreamQuery(cudaStream_t handle) {
  return call([&](Machine& m) {
    require(m.query(m.tail_of(not_capturing(stream_of(m, handle)))), cudaErrorNotReady);
  });
}

cudaError_t CUDARTAPI cudaStreamGetId(cudaStream_t handle, unsigned long long* id) {
  return answer(id, [&](Machine& m) { return stream_of(m, handle).number; });
}

cudaError_t CUDARTAPI cudaStreamGetDevice(cudaStream_t handle, int* device) {
  return answer(device, [&](Machine& m) { return stream_of(m, handle).device; });
}

cudaError_t CUDARTAPI cudaStreamGetFlags(cudaStream_t handle, unsigned int* flags) {
  return answer(flags, [&](Machine& m) {
    const CUstream_st& stream = stream_of(m, handle);
    const bool blocking = stream.blocking || m.is_legacy(stream);
    return blocking ? cudaStreamDefault : cudaStreamNonBlocking;
  });
}

cudaError_t CUDARTAPI cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event_handle,
                                          unsigned int flags) {
  return call([&](Machine& m) {
    if (flags != cudaEventWaitDefault) refuse(cudaErrorInvalidValue);
    CUstream_st& stream = stream_of(m, handle);
    const CUevent_st& event = event_of(m, event_handle);
    if (capture_wait(m, stream, event)) return;
    // Waits for the work that the event marks now; none, if it has not been recorded.
    stream.tail = m.tail_of(stream);
    merge(stream.tail, event.work);
    keep_last(stream.tail);
  });
}

cudaError_t CUDARTAPI cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  return call([&](Machine& m) { begin_capture(m, stream_of(m, handle), mode); });
}

cudaError_t CUDARTAPI cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
  return call([&](Machine& m) {
    require(graph != nullptr);
    *graph = nullptr;
    *graph = end_capture(m, stream_of(m, handle));
  });
}

cudaError_t CUDARTAPI cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
  return answer(status, [&](Machine& m) { return capture_status(m, stream_of(m, handle)); });
}

cudaError_t CUDARTAPI cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return answer(mode, [&](Machine&) { return exchange_capture_mode(*mode); });
}

cudaError_t CUDARTAPI cudaEventCreate(cudaEvent_t* event) {
  return answer(event, [](Machine& m) { return make_event(m, cudaEventDefault); });
}

cudaError_t CUDARTAPI cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return answer(event, [&](Machine& m) { return make_event(m, flags); });
}

cudaError_t CUDARTAPI cudaEventDestroy(cudaEvent_t handle) {
  return call([&](Machine& m) { remove(m.events, handle, cudaErrorInvalidResourceHandle); });
}

cudaError_t CUDARTAPI cudaEventRecord(cudaEvent_t handle, cudaStream_t stream_handle) {
  return call([&](Machine& m) {
    CUevent_st& event = event_of(m, handle);
    const CUstream_st& stream = stream_of(m, stream_handle);
    // Runtime API, cudaEventRecord: "must be from the same context".
    require(event.device == stream.device, cudaErrorInvalidResourceHandle);
    if (stream.capture) {
      require(!stream.capture->invalidated, cudaErrorStreamCaptureInvalidated);
    } else {
      event.work = m.tail_of(stream);
      event.issued_us = m.timeline.now();
      event.recorded = true;
    }
    event.capture = stream.capture;
    event.capture_work = stream.capture_tail;
  });
}

cudaError_t CUDARTAPI cudaEventSynchronize(cudaEvent_t handle) {
  return call([&](Machine& m) { m.wait_for(not_captured(event_of(m, handle)).work); });
}

cudaError_t CUDARTAPI cudaEventQuery(cudaEvent_t handle) {
  bool done = false;  // instead of a refusal, because pollers ask thousands of times
  const cudaError_t code = call([&](Machine& m) {
    // Profiles have no separate cost for it. Without a cost, time would stand still for pollers.
    m.timeline.spend(m.settings.profile.calls_us.at("cudaStreamQuery"));
    done = m.query(not_captured(event_of(m, handle)).work);
  });
  return code == cudaSuccess && !done ? cudaErrorNotReady : code;
}

cudaError_t CUDARTAPI cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end) {
  return answer(ms, [&](Machine& m) {
    constexpr double us_per_ms = 1000;
    const CUevent_st &first = event_of(m, start), &last = event_of(m, end);
    const double begun = time_of(m, first), ended = time_of(m, last);
    // CUDA C++ Programming Guide, "Stream and Event Behavior": fails for events of two devices.
    require(first.device == last.device, cudaErrorInvalidResourceHandle);
    return static_cast<float>((ended - begun) / us_per_ms);
  });
}
