// Tracks handles that come and go: of streams, captures and kernels.
#include <utility>

#include "common/application/recorder/driver/driver_functions.hpp"
#include "common/application/recorder/driver/launch_parameters.hpp"
#include "common/application/recorder/listening/listener.hpp"
#include "common/application/recorder/listening/thread_state.hpp"

namespace trilane {

/// Updates which handles mean what.
void Listener::changed(const ListenedCall& what, const CUpti_CallbackData& data, CUresult code) {
  ObservedCall call;
  if (what.decode != nullptr) what.decode(data.functionParams, call);
  const std::uint64_t stream = stream_of(call.stream, what);
  switch (what.effect) {
    case Effect::observed: return;
    case Effect::capture_begins:
      captured_.insert(stream);
      capture_era_ = looking_ == ListeningStage::watch ? 0 : era_.load(std::memory_order_relaxed);
      broken_.reset();
      return;
    case Effect::capture_ends: captured_.erase(stream); return capture_ends(what.id, code);
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

/// Called before it happens: another thread may ask about the stream.
void Listener::destroys(const ListenedCall& what, const CUpti_CallbackData& data) {
  std::unique_lock lock(mutex_, std::defer_lock);
  if (lock_unless_silent(lock)) changed(what, data, CUDA_SUCCESS);
}

BrokenCapture Listener::broken_by(CUpti_CallbackId id, CallKind kind, CUresult code) const {
  const std::uint32_t runtime =
      looking_ == ListeningStage::confirm ? this_thread.time.runtime() : 0;
  return {id, runtime, kind, static_cast<std::uint32_t>(code)};
}

/// The first call that fails because of a capture breaks it. A begin that fails counts as a broken
/// capture, too.
void Listener::failed(const ListenedCall& what, CUresult code) {
  std::unique_lock lock(mutex_, std::defer_lock);
  if (!lock_unless_silent(lock)) return;
  const BrokenCapture broken = broken_by(what.id, what.kind, code);
  if (what.effect == Effect::capture_begins && looking_ != ListeningStage::watch) {
    recorder_.capture_ended(broken);
  } else if (!captured_.empty() && !broken_) {
    broken_ = broken;
  }
}

/// Counts only captures whose possibly breaking calls were listened to.
void Listener::capture_ends(CUpti_CallbackId id, CUresult code) {
  std::optional<BrokenCapture> broken = std::exchange(broken_, std::nullopt);
  const bool heard = capture_era_ == era_.load(std::memory_order_relaxed);
  capture_era_ = 0;
  if (!heard) return;
  if (code == CUDA_SUCCESS) broken.reset();
  if (code != CUDA_SUCCESS && !broken) broken = broken_by(id, CallKind::other, code);
  recorder_.capture_ended(broken);
}

/// If the driver refuses to say, it is because a capture forbids the question.
bool Listener::is_captured(std::uint64_t stream) const {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  const auto ask = driver_functions().stream_is_capturing;
  if (ask == nullptr) return false;
  return ask(reinterpret_cast<CUstream>(stream), &status) != CUDA_SUCCESS ||
         status != CU_STREAM_CAPTURE_STATUS_NONE;
}

}  // namespace trilane
