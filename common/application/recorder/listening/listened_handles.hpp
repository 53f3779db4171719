// Tracks handles that come and go: of streams, captures and kernels.
#pragma once

#include <cupti.h>

#include "common/application/finding/application_recorder.hpp"
#include "common/application/recorder/driver/listened_call.hpp"

namespace trilane {

/// Tells the recorder what handles mean, and which captures succeed.
class ListenedHandles {
 public:
  explicit ListenedHandles(ApplicationRecorder& recorder) : recorder_(recorder) {}

  /// The stage and era of a call.
  struct Now {
    ListeningStage stage;
    std::uint32_t era;
  };

  /// Returns true if a stream is being captured. Needs no lock.
  bool any_capture() const { return any_captured_.load(std::memory_order_relaxed); }
  /// Returns true if work in this stream is captured now.
  bool is_captured(std::uint64_t stream) const;

  /// Takes a call that returned `code` and has another Effect than being observed.
  void changed(const ListenedCall& what, const void* parameters, CUresult code, Now now);
  /// Takes a call that has failed because of a capture.
  void failed(const ListenedCall& what, CUresult code, Now now);

 private:
  void capture_ends(CUpti_CallbackId id, CUresult code, Now now);

  ApplicationRecorder& recorder_;
  std::set<std::uint64_t> captured_;  ///< streams
  std::atomic<bool> any_captured_{false};
  /// The era if all calls were listened to when the latest capture began, or 0.
  std::uint32_t capture_era_ = 0;
  std::optional<BrokenCapture> broken_;  ///< what broke the capture under way
};

}  // namespace trilane
