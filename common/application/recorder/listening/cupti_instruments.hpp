// The stages' instruments: CUPTI, with the functions that call back, and questions to the driver.
#pragma once

#include <cupti.h>

#include "common/application/finding/listening_stages.hpp"
#include "common/application/recorder/driver/executable_graphs.hpp"
#include "common/application/recorder/listening/capture_watch.hpp"
#include "common/application/recorder/listening/listener_guard.hpp"

namespace trilane {

class Subscription {
 public:
  /// Loads CUPTI and subscribes, without callbacks yet. Returns CUPTI's code. Throws NotPossible.
  CUptiResult begin(CUpti_CallbackFunc callback, void* self);
  /// Ends all callbacks.
  void end();
  bool lives() const { return subscriber_ != nullptr; }
  /// Takes CUPTI out of the process, in which its presence costs time: a kernel of a graph takes
  /// 0.2 us longer, a graph's launch 0.4 us for each node, and once anything was traced each launch
  /// 0.4 us. Restrictions:
  /// - Only at the return of a driver call, and only if no other thread makes calls. Where others
  ///   were held in callbacks, 4 of 19 runs crashed afterwards.
  /// - Not if the tracer has seen executable graphs, whose launches fail afterwards.
  /// - Not if the loop changed its shape while traced: two applications crashed.
  /// - Not in cuMemFreeAsync: one application crashed.
  /// - It takes effect at once, within the callback; subscribing again there crashes.
  void detach();

  // Without a subscription the following functions do nothing: a call would bring CUPTI back.

  /// Enable every call of listened_call(), or the wanted ones.
  void enable_all() {
    enable([](CUpti_CallbackId) { return true; });
  }
  void enable(const std::function<bool(CUpti_CallbackId)>& wanted);
  /// Enables callbacks for modules being loaded and unloaded.
  void enable_modules();
  /// Enables or disables some functions of the runtime.
  void change_runtime(bool on, const std::function<bool(CUpti_CallbackId)>& which);
  /// Enables cuCtxGetDevice, by which costs are measured.
  void enable_probe(bool on) {
    enable(on, CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuCtxGetDevice);
  }

 private:
  void enable(bool on, CUpti_CallbackDomain domain, CUpti_CallbackId id);

  CUpti_SubscriberHandle subscriber_ = nullptr;
};

/// Listens to functions of the CUDA runtime to learn names and times. A function disabled within
/// one of its own calls keeps calling CUPTI, and the application crashes there once CUPTI has left.
/// So a later call of the same thread disables it from outside. Runtime functions are assumed not
/// to call one another.
class RuntimeCallbacks {
 public:
  /// The runtime function under way. 0: none; absent: unknown.
  using Within = std::optional<std::uint32_t>;

  explicit RuntimeCallbacks(Subscription& subscription) : subscription_(subscription) {}

  void begin();
  /// Ends listening for all functions that may be disabled now, within those of the thread.
  void end(std::uint64_t thread, Within within);
  /// Must be called at each later call: disables the remaining functions.
  void called(std::uint64_t thread, Within within) {
    if (is_ending() && thread == thread_) tell(within);
  }
  bool has_ended() const { return state_ == State::off; }
  bool is_ending() const { return state_ == State::ending; }

 private:
  enum class State : std::uint8_t { off, on, ending };

  void tell(Within within);

  Subscription& subscription_;
  State state_ = State::off;
  std::uint64_t thread_ = 0;  ///< that ends it
  Within told_within_;        ///< while ending: the remaining function; absent: all remain
};

/// Its calls to the driver must count as the recorder's own: it works in ListenerGuard::run(), and
/// under the guard's lock once functions call back. Only era() and note_thread() need neither.
class CuptiInstruments final : public ListeningInstruments {
 public:
  /// All must outlive this object.
  CuptiInstruments(ApplicationRecorder& recorder, const ExecutableGraphs& graphs,
                   const CaptureWatch& captures)
      : recorder_(recorder), graphs_(graphs), captures_(captures) {}

  Subscription& subscription() { return subscription_; }
  /// Returns a number that increases whenever other calls are listened to.
  std::uint32_t era() const { return era_.load(std::memory_order_relaxed); }
  /// Ends everything when the application ends.
  void end();

  ApplicationNow now() const override;
  void note_thread() override { threads_.note(); }
  void note(ThreadState& thread) { threads_.note(thread); }
  void listen_to(Heard functions) override;
  void listen_to_runtime() override;
  bool end_runtime(bool within_none) override;
  void called() override {
    if (!runtime_.is_ending()) return;
    runtime_.called(CallingThreads::number(), this_thread.time.runtime_now());
  }
  void begin_era() override { era_.fetch_add(1, std::memory_order_relaxed); }
  void start_tracer() override;
  bool stop_tracer() override;
  bool device_is_done() const override;
  void stop_at_runtime(bool on) override;
  void release(bool cupti_leaves) override {
    cupti_leaves ? subscription_.detach() : subscription_.end();
  }

 private:
  void take_no_records();
  std::vector<DeviceTime> device_times() const;

  ApplicationRecorder& recorder_;
  const ExecutableGraphs& graphs_;
  const CaptureWatch& captures_;
  Subscription subscription_;
  RuntimeCallbacks runtime_{subscription_};
  CallingThreads threads_;
  std::atomic<std::uint32_t> era_{1};
  bool probed_ = false;   ///< the cost of listening was measured
  bool tracing_ = false;  ///< takes CUPTI's records of operations
  double offset_us_ = 0;  ///< from CUPTI's clock to the recorder's
};

}  // namespace trilane
