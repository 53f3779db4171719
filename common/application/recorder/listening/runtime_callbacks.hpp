// Listening to the functions of the CUDA runtime, for their names and their time.
#pragma once

#include <cstdint>

#include "common/application/recorder/listening/subscription.hpp"

namespace trilane {

/// A function of the runtime that calls back no more from within one of its own calls calls CUPTI
/// nevertheless, for good, and the application crashes there once CUPTI has left. So such a
/// function is ended later, from a call that is not within it.
class RuntimeCallbacks {
 public:
  explicit RuntimeCallbacks(Subscription& subscription) : subscription_(subscription) {}

  void begin();
  /// Ends it from within that function; 0: from within none. Returns whether nothing is listened to
  /// any more; if not, it is to be called again from a later call.
  bool end(std::uint32_t within);
  /// Whether CUPTI has to stay, because a function had to be ended from within.
  bool stays() const { return stays_; }

 private:
  enum class State : std::uint8_t { off, on, ending };

  Subscription& subscription_;
  State state_ = State::off;
  std::uint32_t left_ = 0;   ///< ending: the function that is still listened to
  std::uint32_t calls_ = 0;  ///< ending: how often it was asked from within that
  bool stays_ = false;
};

}  // namespace trilane
