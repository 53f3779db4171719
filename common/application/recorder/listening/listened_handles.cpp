// Handles that come and go: of streams, captures and kernels.
#include "common/application/recorder/driver/driver_functions.hpp"
#include "common/application/recorder/driver/launch_parameters.hpp"
#include "common/application/recorder/listening/listener.hpp"

namespace trilane {

/// Which handles mean what.
void Listener::changed(const ListenedCall& what, const CUpti_CallbackData& data) {
  ObservedCall call;
  if (what.decode != nullptr) what.decode(data.functionParams, call);
  const std::uint64_t stream = stream_of(call.stream, what);
  switch (what.effect) {
    case Effect::observed: return;
    case Effect::capture_begins: captured_.insert(stream); return;
    case Effect::capture_ends: captured_.erase(stream); return;
    case Effect::destroys_stream:
      captured_.erase(stream);
      recorder_.stream_destroyed(stream);
      return;
    case Effect::unloads:
      forget_kernels();
      recorder_.kernels_unloaded();
      return;
    case Effect::resets:
      forget_kernels();
      captured_.clear();
      recorder_.context_reset();
      return;
  }
}

/// Before it happens: another thread may ask about the stream.
void Listener::destroys(const ListenedCall& what, const CUpti_CallbackData& data) {
  std::unique_lock lock(mutex_, std::defer_lock);
  if (lock_unless_silent(lock)) changed(what, data);
}

/// Where the driver refuses to say, it is because a capture forbids the question.
bool Listener::is_captured(std::uint64_t stream) const {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  const auto ask = driver_functions().stream_is_capturing;
  if (ask == nullptr) return false;
  return ask(reinterpret_cast<CUstream>(stream), &status) != CUDA_SUCCESS ||
         status != CU_STREAM_CAPTURE_STATUS_NONE;
}

}  // namespace trilane
