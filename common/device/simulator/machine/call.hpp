// The common part of all runtime functions: the lock, the cost of a call and its errors.
#pragma once

#include <cuda_runtime_api.h>
#include <driver_types.h>

#include "common/device/simulator/machine/machine.hpp"

namespace trilane::simulator {

/// The end of a host function.
struct HostFunctionEnd {
  bool returned = false;             ///< within the patience; otherwise it still runs
  std::vector<std::string> calls{};  ///< runtime functions that it called, which is an error
};

/// Runs `function` on the thread for host functions and waits for it, at most `patience_s` seconds
/// of real time. Then the thread is left to it, and the next function gets another one. The machine
/// stays locked, so other threads wait. Throws std::system_error without a thread.
HostFunctionEnd run_host_function(std::function<void()> function, double patience_s);

/// Returns true if this thread is running a host function of the simulated device.
bool in_host_function();

/// Adds the runtime function `name` to HostFunctionEnd::calls and returns cudaErrorNotPermitted.
/// Does not touch the machine: the thread that has locked it waits for the host function.
cudaError_t refuse_in_host_function(const char* name);

/// Returns for which of the threads that measure by themselves this one works, from 1; 0: for none.
std::uint32_t part_of_host();

/// Locks the machine for this thread's call. Threads announced by HostThreads
/// (common/device/flavour/flavour.hpp) get it in the order of their numbers, for one call each; the
/// constructor waits for that. Other threads get it in order of arrival.
///
/// All threads share one virtual clock: their calls follow each other. With n announced threads a
/// call moves it on by Costs::pace(n) of its time. All count as one host: a wait of one is known to
/// all.
class Hold {
 public:
  explicit Hold(Machine& machine);
  ~Hold();

 private:
  std::unique_lock<std::recursive_mutex> lock_;
};

/// The permission of a call during a stream capture: allowed, or potentially unsafe during one of
/// any thread (CUDA Runtime API, Stream Management, cudaThreadExchangeStreamCaptureMode). A call
/// that does not involve the device is allowed, and works even after a sticky error.
enum class InCapture { allowed, unsafe, without_device };

/// Begin a call, which spends its constant host time, and end it. The machine must be locked.
void begin_call(Machine& machine, const char* name);
void end_call(const Machine& machine);

/// Begins and counts a call. Returns the error with which it fails at once, or cudaSuccess: a
/// fault, a sticky error, or a call that a capture forbids, which invalidates the capture.
cudaError_t enter(Machine& machine, const char* name, InCapture in_capture);
/// Ends the call and keeps its error for cudaGetLastError. Returns `code`.
cudaError_t leave(Machine& machine, cudaError_t code);

/// Runs the body of the runtime function `name`, and returns the code of a Refusal that it throws.
template <typename Body>
cudaError_t call(InCapture in_capture, Body body,
                 const char* name = __builtin_FUNCTION()) noexcept {
  if (in_host_function()) return refuse_in_host_function(name);
  Machine& m = machine();
  const Hold hold(m);
  cudaError_t code = enter(m, name, in_capture);
  try {
    if (code == cudaSuccess) body(m);
  } catch (const Refusal& refusal) {
    code = refusal.code;
  } catch (const std::bad_alloc&) {
    code = cudaErrorMemoryAllocation;
  } catch (const std::exception&) {
    code = cudaErrorUnknown;
  }
  return leave(m, code);
}

template <typename Body>
cudaError_t call(Body body, const char* name = __builtin_FUNCTION()) noexcept {
  return call(InCapture::allowed, body, name);
}

/// Runs a runtime function that writes the result of `body` to `*result`. Refuses a null `result`.
template <typename Result, typename Body>
cudaError_t answer(Result* result, Body body, InCapture in_capture = InCapture::allowed,
                   const char* name = __builtin_FUNCTION()) noexcept {
  const auto write = [&](Machine& m) {
    require(result != nullptr);
    *result = body(m);
  };
  return call(in_capture, write, name);
}

/// Prints the name of a runtime function that is not modelled, and returns cudaErrorNotSupported.
/// The generated not_modelled.cpp declares it again: that file cannot include a CUDA header,
/// because it defines CUDA's functions with other signatures.
int not_modelled(const char* name);

/// Return the stream behind a handle (null: the legacy default stream), or the event. Throw Refusal
/// (cudaErrorInvalidResourceHandle) if none exists.
CUstream_st& stream_of(Machine& machine, cudaStream_t handle);
CUevent_st& event_of(Machine& machine, cudaEvent_t handle);

struct ErrorCode {
  cudaError_t code;
  const char* name;
  const char* text;
  bool sticky;  ///< it "leaves the process in an inconsistent state": later calls return it
};

/// All of them; generated from error_texts.txt.
extern const std::span<const ErrorCode> error_codes;

/// Returns a code's name in driver_types.h and its text in CUDA 13.0; null if it is unknown.
inline const ErrorCode* find_error(cudaError_t code) {
  const auto found = std::ranges::find(error_codes, code, &ErrorCode::code);
  return found == error_codes.end() ? nullptr : &*found;
}

/// Returns the code with that name ("cudaErrorMemoryAllocation") or number ("2"), if there is one.
inline std::optional<cudaError_t> parse_error(const std::string& text) {
  for (const ErrorCode& known : error_codes) {
    if (text == known.name || text == std::to_string(known.code)) return known.code;
  }
  return std::nullopt;
}

}  // namespace trilane::simulator
