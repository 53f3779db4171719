// The subscription to CUPTI: which functions of the driver and of the runtime call back.
#pragma once

#include <cupti.h>

#include <cstdint>
#include <functional>
#include <optional>

namespace trilane {

class Subscription {
 public:
  /// Loads CUPTI and subscribes, without callbacks yet. Returns CUPTI's code. Throws NotPossible if
  /// CUPTI cannot be loaded.
  CUptiResult begin(CUpti_CallbackFunc callback, void* self);
  /// Ends all callbacks.
  void end();
  bool lives() const { return subscriber_ != nullptr; }
  /// Takes CUPTI out of the process, in which its presence costs time: a kernel of a graph takes
  /// 0.2 us longer, and once anything was traced each launch 0.4 us. Restrictions:
  /// - Only at the return of a driver call, and only if no other thread makes calls.
  /// - Not if the tracer has seen executable graphs, whose launches fail afterwards.
  /// - Not if the loop changed its shape while traced: two applications crashed.
  /// - Not in cuMemFreeAsync: one application crashed.
  /// - It takes effect at once, within the callback; subscribing again there crashes.
  void detach();

  // Without a subscription the following functions do nothing: a call would bring CUPTI back.

  /// Enable every call of listened_call(), or the wanted ones.
  void enable_all();
  void enable(const std::function<bool(CUpti_CallbackId)>& wanted);
  /// Enables callbacks for modules being loaded and unloaded.
  void enable_modules();
  /// Enables or disables some functions of the runtime.
  void change_runtime(bool on, const std::function<bool(CUpti_CallbackId)>& which);
  /// Enables cuCtxGetDevice, by which costs are measured.
  void enable_probe(bool on);

 private:
  CUpti_SubscriberHandle subscriber_ = nullptr;
};

/// Listens to functions of the CUDA runtime, for their names and times, and disables them safely. A
/// function disabled within one of its own calls keeps calling CUPTI, and the application crashes
/// there once CUPTI has left. So a later call, from outside, disables the function that is under
/// way. CUPTI may leave before that without harm. Functions of the runtime are assumed not to call
/// one another.
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
