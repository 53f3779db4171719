// The subscription to CUPTI: which functions of the driver call back.
#pragma once

#include <cupti.h>

#include <functional>

namespace trilane {

class Subscription {
 public:
  /// Loads CUPTI and subscribes; nothing calls back yet. Returns CUPTI's code. Throws NotPossible
  /// if CUPTI cannot be loaded.
  CUptiResult begin(CUpti_CallbackFunc callback, void* self);
  void end();

  /// Every call of listened_call(), or only those that are wanted.
  void enable_all();
  void enable(const std::function<bool(CUpti_CallbackId)>& wanted);
  /// Those of the runtime, for their names.
  void enable_runtime(bool on);

 private:
  CUpti_SubscriberHandle subscriber_ = nullptr;
};

}  // namespace trilane
