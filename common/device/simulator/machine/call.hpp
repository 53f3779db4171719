// What every runtime function goes through.
#pragma once

#include <cuda_runtime_api.h>

#include "common/device/simulator/errors/host_function.hpp"
#include "common/device/simulator/machine/host_threads.hpp"
#include "common/device/simulator/machine/machine.hpp"

namespace trilane::simulator {

/// What a stream capture of any thread says of a call (CUDA Runtime API, Stream Management,
/// cudaThreadExchangeStreamCaptureMode).
enum class InCapture { allowed, unsafe };

/// A call begins, with the machine locked: its constant host time is spent. It ends. A tracer sees
/// both.
void begin_call(Machine& machine, const char* name);
void end_call(const Machine& machine);

/// Enters a call: begins, counts and names it. Returns the error it ends with before it began: a
/// fault, a sticky error, a call that a capture forbids (which then is invalidated); or
/// cudaSuccess.
cudaError_t enter(Machine& machine, const char* name, InCapture in_capture);
/// Leaves it: ends it, remembers the error for cudaGetLastError. Returns `code`.
cudaError_t leave(Machine& machine, cudaError_t code);

/// Runs the body of the runtime function `name`; a Refusal becomes the code that it returns.
template <typename Body>
cudaError_t call(const char* name, InCapture in_capture, Body body) noexcept {
  if (in_host_function()) return refuse_in_host_function(name);
  Machine& m = machine();
  const Hold hold(m);
  if (const cudaError_t code = enter(m, name, in_capture); code != cudaSuccess)
    return leave(m, code);
  try {
    body(m);
  } catch (const Refusal& refusal) {
    return leave(m, refusal.code);
  } catch (const std::bad_alloc&) {
    return leave(m, cudaErrorMemoryAllocation);
  }
  return leave(m, cudaSuccess);
}

template <typename Body>
cudaError_t call(const char* name, Body body) noexcept {
  return call(name, InCapture::allowed, body);
}

/// The stream behind a handle, the legacy default stream for null. Throws Refusal
/// (cudaErrorInvalidResourceHandle) when there is none.
CUstream_st& stream_of(Machine& machine, cudaStream_t handle);
CUevent_st& event_of(Machine& machine, cudaEvent_t handle);

}  // namespace trilane::simulator
