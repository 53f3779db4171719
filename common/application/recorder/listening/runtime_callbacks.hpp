// Listening to the functions of the CUDA runtime, for their names and their time.
#pragma once

#include <cstdint>
#include <optional>

#include "common/application/recorder/listening/subscription.hpp"

namespace trilane {

/// If a function of the runtime is disabled within one of its own calls, it goes on to call CUPTI
/// for good, and the application crashes there once CUPTI has left. So the function that is under
/// way is told to stop by a later call, from outside of it. It does no harm if CUPTI leaves before.
/// Functions of the runtime are taken not to call one another.
class RuntimeCallbacks {
 public:
  /// The function of the runtime that is under way. 0: none; absent: not known.
  using Within = std::optional<std::uint32_t>;

  explicit RuntimeCallbacks(Subscription& subscription) : subscription_(subscription) {}

  void begin();
  /// Ends it, for all functions that may be told now.
  void end(Within within);
  /// At each later call: tells those that are left.
  void called(Within within) {
    if (state_ == State::ending) tell(within);
  }
  bool has_ended() const { return state_ == State::off; }

 private:
  enum class State : std::uint8_t { off, on, ending };

  void tell(Within within);

  Subscription& subscription_;
  State state_ = State::off;
  Within told_within_;  ///< ending: the one that is left; absent: all are
};

}  // namespace trilane
