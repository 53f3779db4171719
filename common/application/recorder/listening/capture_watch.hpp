// Follows the application's captures from their begin to their end.
#pragma once

#include <cupti.h>

#include "common/application/finding/application_recorder.hpp"
#include "common/application/recorder/driver/listened_call.hpp"

namespace trilane {

/// Returns true if the call failed because a capture is under way.
constexpr bool is_of_capture(CUresult code) {
  return code >= CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED &&
         code <= CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
}

/// Tells the recorder which call broke a capture, and what a capture left out. The driver is asked
/// which captures are invalid. Guarded by the listener's lock, except for the marked functions.
class CaptureWatch {
 public:
  explicit CaptureWatch(ApplicationRecorder& recorder) : recorder_(recorder) {}

  /// A call that has returned: kind, function, thread, stream, event and stack, or of a begin the
  /// mode as `value`.
  struct Call {
    const ListenedCall& what;
    const ObservedCall& call;
    CUresult code;
    std::uint32_t era;
  };

  /// Returns true if a stream is being captured. Needs no lock.
  bool any() const { return any_.load(std::memory_order_relaxed); }
  /// Returns true if work in this stream is captured now. Needs no lock.
  bool is_captured(std::uint64_t stream) const;
  /// Returns true if the line of the call that has returned matters to a capture. `captured`: its
  /// stream is. Needs no lock.
  bool wants_stack(const ListenedCall& what, CUresult code, bool captured);
  /// Must be called before a call while a stream is captured. Needs no lock.
  void enters(const ListenedCall& what, const void* parameters) const;

  /// Takes a call that has another Effect than being observed, or has failed because of a capture.
  /// Tells the recorder, too, which streams and kernels are gone.
  void changed(const Call& call);
  /// Takes an observed call that has succeeded while any() is true.
  void runs(const Call& call, bool captured);
  /// Must be called when the application ends: tells of broken captures that it has not ended.
  void application_ends();

 private:
  /// A stream that an event drew into a capture.
  struct Joining {
    const ObservedStack* fork = nullptr;
    bool joined = false;  ///< a stream waits for an event behind all of its work
  };
  struct Capture {
    std::uint64_t stream = 0, thread = 0;
    CaptureMode mode = CaptureMode::global;
    std::uint32_t era = 0;  ///< 0: not every call is listened to
    const ObservedStack* begin = nullptr;
    std::optional<ObservedCaptureCall> broken{};
    std::map<std::uint64_t, Joining> joining{};
    std::map<std::uint64_t, std::uint64_t> events{};  ///< the stream of each one recorded in it
  };
  using Captures = std::vector<Capture>;

  void begins(const Call& call);
  void ends(const Call& call);
  void fails(const Call& call);
  void context_reset();
  static ObservedCaptureCall described(const Call& call, const Capture& capture,
                                       CaptureEffect effect);
  bool is_invalid(const Capture& capture, std::uint64_t thread) const;
  Capture* capture_of(const Call& call);
  void note(const Call& call, CaptureEffect effect);
  void follow(const Call& call, Capture& capture);

  ApplicationRecorder& recorder_;
  Captures captures_;  ///< under way
  std::atomic<bool> any_{false};
  std::atomic<int> stacks_left_{4000};  ///< except those of calls that fail
};

}  // namespace trilane
