#include "common/application/recorder/listening/listened_handles.hpp"

#include "common/application/recorder/driver/driver_surroundings.hpp"

namespace trilane {

void ListenedHandles::changed(const CaptureWatch::Call& call) {
  const bool of_capture =
      call.what.effect == Effect::capture_begins || call.what.effect == Effect::capture_ends;
  if (call.code != CUDA_SUCCESS && !of_capture) return captures_.fails(call);
  switch (call.what.effect) {
    case Effect::observed:
    case Effect::loads:
    case Effect::creates:
    case Effect::prepares_graph: return;
    case Effect::capture_begins: return captures_.begins(call);
    case Effect::capture_ends: return captures_.ends(call);
    case Effect::destroys_stream:
      captures_.stream_destroyed(call.call.stream);
      return recorder_.stream_destroyed(call.call.stream);
    case Effect::unloads: forget_kernels(); return recorder_.kernels_unloaded();
    case Effect::resets:
      forget_kernels();
      captures_.context_reset();
      return recorder_.context_reset();
  }
}

}  // namespace trilane
