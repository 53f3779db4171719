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
  /// Takes CUPTI out of the process, for what it has traced goes on to cost time: each launch takes
  /// 0.4 us longer until then, also with tracing off. Only where a call of the driver's returns.
  /// Not where an executable graph was made: its launches fail afterwards. Not where work was under
  /// way when tracing was stopped: two applications crashed in which it was.
  void detach();

  /// Every call of listened_call(), none but those that last, or those that are wanted.
  void enable_all();
  void enable_none();
  void enable(const std::function<bool(CUpti_CallbackId)>& wanted);
  /// Modules that are loaded and unloaded.
  void enable_modules();
  /// Those of the runtime, for their names and their time.
  void enable_runtime(bool on);
  /// cuCtxGetDevice, with which costs are measured.
  void enable_probe(bool on);

 private:
  CUpti_SubscriberHandle subscriber_ = nullptr;
};

}  // namespace trilane
