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
  /// Nothing calls back any more.
  void end();
  bool lives() const { return subscriber_ != nullptr; }
  /// Takes CUPTI out of the process, where it costs time by being there: a kernel of a graph takes
  /// 0.2 us longer, and once anything was traced each launch 0.4 us. Only where a call of the
  /// driver's returns, and only if no other thread makes calls. Not where the tracer has seen
  /// executable graphs, whose launches fail afterwards, nor where the loop changed its shape while
  /// it was traced: two applications crashed, and one where the call was cuMemFreeAsync. It works
  /// at once, within the callback; subscribing again there crashes.
  void detach();

  // Without a subscription what follows does nothing: a call would bring CUPTI back.

  /// Every call of listened_call(), or those that are wanted.
  void enable_all();
  void enable(const std::function<bool(CUpti_CallbackId)>& wanted);
  /// Modules that are loaded and unloaded.
  void enable_modules();
  /// Those of the runtime that are wanted, or no longer.
  void enable_runtime(const std::function<bool(CUpti_CallbackId)>& wanted);
  void disable_runtime(const std::function<bool(CUpti_CallbackId)>& unwanted);
  /// cuCtxGetDevice, with which costs are measured.
  void enable_probe(bool on);

 private:
  void change_runtime(bool on, const std::function<bool(CUpti_CallbackId)>& which);

  CUpti_SubscriberHandle subscriber_ = nullptr;
};

}  // namespace trilane
