// Listens to the functions of the CUDA runtime, for their names and times.
#pragma once

#include <cstdint>
#include <optional>

#include "common/application/recorder/listening/subscription.hpp"

namespace trilane {

/// Disables callbacks of runtime functions safely. A function disabled within one of its own calls
/// keeps calling CUPTI, and the application crashes there once CUPTI has left. So a later call,
/// from outside, disables the function that is under way. CUPTI may leave before that without harm.
/// Functions of the runtime are assumed not to call one another.
class RuntimeCallbacks {
 public:
  /// The runtime function under way. 0: none; absent: unknown.
  using Within = std::optional<std::uint32_t>;

  explicit RuntimeCallbacks(Subscription& subscription) : subscription_(subscription) {}

  void begin();
  /// Ends listening for all functions that may be disabled now.
  void end(Within within);
  /// Must be called at each later call: disables the remaining functions.
  void called(Within within) {
    if (state_ == State::ending) tell(within);
  }
  bool has_ended() const { return state_ == State::off; }

 private:
  enum class State : std::uint8_t { off, on, ending };

  void tell(Within within);

  Subscription& subscription_;
  State state_ = State::off;
  Within told_within_;  ///< while ending: the remaining function; absent: all remain
};

}  // namespace trilane
