#include "common/application/recorder/listening/listened_handles.hpp"

#include "common/application/recorder/driver/driver_surroundings.hpp"
#include "common/application/recorder/listening/listener_guard.hpp"

namespace trilane {
namespace {

BrokenCapture broken_by(CUpti_CallbackId id, CallKind kind, CUresult code, ListeningStage stage) {
  const std::uint32_t runtime = stage == ListeningStage::confirm ? this_thread.time.runtime() : 0;
  return {id, runtime, kind, static_cast<std::uint32_t>(code)};
}

}  // namespace

void ListenedHandles::changed(const ListenedCall& what, const void* parameters, CUresult code,
                              Now now) {
  ObservedCall call;
  if (what.decode != nullptr) what.decode(parameters, call);
  const std::uint64_t stream = stream_of(call.stream, what);
  switch (what.effect) {
    case Effect::observed:
    case Effect::adds_node: return;
    case Effect::capture_begins:
      captured_.insert(stream);
      capture_era_ = now.stage == ListeningStage::watch ? 0 : now.era;
      broken_.reset();
      break;
    case Effect::capture_ends:
      captured_.erase(stream);
      capture_ends(what.id, code, now);
      break;
    case Effect::destroys_stream:
      captured_.erase(stream);
      recorder_.stream_destroyed(stream);
      break;
    case Effect::unloads:
      forget_kernels();
      recorder_.kernels_unloaded();
      break;
    case Effect::resets:
      forget_kernels();
      captured_.clear();
      recorder_.context_reset();
      break;
  }
  any_captured_ = !captured_.empty();
}

/// The first call that fails because of a capture breaks it. A failed begin counts, too.
void ListenedHandles::failed(const ListenedCall& what, CUresult code, Now now) {
  const BrokenCapture broken = broken_by(what.id, what.kind, code, now.stage);
  if (what.effect == Effect::capture_begins && now.stage != ListeningStage::watch) {
    recorder_.capture_ended(broken);
  } else if (any_capture() && !broken_) {
    broken_ = broken;
  }
}

/// Counts only captures whose possibly breaking calls were listened to.
void ListenedHandles::capture_ends(CUpti_CallbackId id, CUresult code, Now now) {
  std::optional<BrokenCapture> broken = std::exchange(broken_, std::nullopt);
  if (std::exchange(capture_era_, 0) != now.era) return;
  if (code == CUDA_SUCCESS) broken.reset();
  if (code != CUDA_SUCCESS && !broken) broken = broken_by(id, CallKind::other, code, now.stage);
  recorder_.capture_ended(broken);
}

/// If the driver refuses to say, it is because a capture forbids the question.
bool ListenedHandles::is_captured(std::uint64_t stream) const {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  const auto ask = driver_functions().cuStreamIsCapturing;
  if (!ask) return false;
  return ask(reinterpret_cast<CUstream>(stream), &status) != CUDA_SUCCESS ||
         status != CU_STREAM_CAPTURE_STATUS_NONE;
}

}  // namespace trilane
