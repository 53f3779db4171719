// Events.
#include "common/device/simulator/machine/call.hpp"
#include "common/device/simulator/machine/capture.hpp"

using namespace trilane::simulator;

namespace {

cudaEvent_t make_event(Machine& m, unsigned int flags) {
  constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming;
  require((flags & ~known) == 0);
  CUevent_st& event = m.make(m.events);
  event.timing = (flags & cudaEventDisableTiming) == 0;
  return &event;
}

/// Returns the time when the event's work was done. Refuses if that is unknown.
double time_of(Machine& m, const CUevent_st& event) {
  if (!event.timing || event.capture || !event.recorded) refuse(cudaErrorInvalidResourceHandle);
  require(all_done(event.work), cudaErrorNotReady);
  return m.timeline.time_of(event.work, event.issued_us);
}

}  // namespace

cudaError_t CUDARTAPI cudaEventCreate(cudaEvent_t* event) {
  return answer(event, [](Machine& m) { return make_event(m, cudaEventDefault); });
}

cudaError_t CUDARTAPI cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return answer(event, [&](Machine& m) { return make_event(m, flags); });
}

cudaError_t CUDARTAPI cudaEventDestroy(cudaEvent_t handle) {
  return call([&](Machine& m) {
    event_of(m, handle);
    remove(m.events, handle);
  });
}

cudaError_t CUDARTAPI cudaEventRecord(cudaEvent_t handle, cudaStream_t stream_handle) {
  return call([&](Machine& m) {
    CUevent_st& event = event_of(m, handle);
    const CUstream_st& stream = stream_of(m, stream_handle);
    if (stream.capture) return capture_record(event, stream);
    event.work = m.tail_of(stream);
    event.issued_us = m.timeline.now();
    event.recorded = true;
    event.capture = nullptr;
    event.capture_work.clear();
  });
}

cudaError_t CUDARTAPI cudaEventSynchronize(cudaEvent_t handle) {
  return call([&](Machine& m) {
    CUevent_st& event = event_of(m, handle);
    forbid_in_capture(event);
    m.wait_for(event.work);
  });
}

cudaError_t CUDARTAPI cudaEventQuery(cudaEvent_t handle) {
  bool done = false;  // instead of a refusal, because pollers ask thousands of times
  const cudaError_t code = call([&](Machine& m) {
    // Profiles have no separate cost for it. Without a cost, time would stand still for pollers.
    m.timeline.spend(m.settings.profile.calls_us.at("cudaStreamQuery"));
    CUevent_st& event = event_of(m, handle);
    forbid_in_capture(event);
    done = m.query(event.work);
  });
  return code == cudaSuccess && !done ? cudaErrorNotReady : code;
}

cudaError_t CUDARTAPI cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end) {
  return answer(ms, [&](Machine& m) {
    constexpr double us_per_ms = 1000;
    const double begun = time_of(m, event_of(m, start));
    return static_cast<float>((time_of(m, event_of(m, end)) - begun) / us_per_ms);
  });
}
