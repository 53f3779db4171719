// Tracks handles that come and go: of streams, captures and kernels.
#pragma once

#include "common/application/recorder/listening/capture_watch.hpp"

namespace trilane {

/// Tells the recorder what handles mean, and what becomes of captures.
class ListenedHandles {
 public:
  explicit ListenedHandles(ApplicationRecorder& recorder)
      : recorder_(recorder), captures_(recorder) {}

  CaptureWatch& captures() { return captures_; }
  const CaptureWatch& captures() const { return captures_; }

  /// Takes a call that has another Effect than being observed, or has failed because of a capture.
  void changed(const CaptureWatch::Call& call);

 private:
  ApplicationRecorder& recorder_;
  CaptureWatch captures_;
};

}  // namespace trilane
