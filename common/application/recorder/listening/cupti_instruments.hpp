// The stages' instruments: CUPTI, and questions to the driver.
#pragma once

#include <cupti.h>

#include <atomic>
#include <cstdint>
#include <vector>

#include "common/application/finding/application_recorder.hpp"
#include "common/application/finding/listening_stages.hpp"
#include "common/application/recorder/driver/executable_graphs.hpp"
#include "common/application/recorder/listening/listened_handles.hpp"
#include "common/application/recorder/listening/listener_guard.hpp"
#include "common/application/recorder/listening/subscription.hpp"

namespace trilane {

/// Takes CUPTI's records of operations from start() to stop().
class ActivityTimes {
 public:
  /// Throws NotPossible if CUPTI refuses; stop() is right afterwards, too.
  void start();
  void stop();
  bool running() const { return running_; }

  /// Returns the times of the operations that CUPTI knows to be done, since the last call; those of
  /// a graph have the number of its launch. Blocks some milliseconds. Throws NotPossible.
  std::vector<DeviceTime> take() const;

 private:
  bool running_ = false;
  double offset_us_ = 0;  ///< from CUPTI's clock to the recorder's
};

/// Its calls to the driver must count as the recorder's own: it works in ListenerGuard::run(), and
/// under the guard's lock once functions call back. Only era() and note_thread() need neither.
class CuptiInstruments final : public ListeningInstruments {
 public:
  /// All must outlive this object.
  CuptiInstruments(ApplicationRecorder& recorder, const ExecutableGraphs& graphs,
                   const ListenedHandles& handles)
      : recorder_(recorder), graphs_(graphs), handles_(handles) {}

  Subscription& subscription() { return subscription_; }
  /// Returns a number that increases whenever other calls are listened to.
  std::uint32_t era() const { return era_.load(std::memory_order_relaxed); }
  /// Ends everything when the application ends.
  void end();

  ApplicationNow now() const override;
  void note_thread() override { threads_.note(); }
  void listen_to(Heard functions) override;
  void listen_to_runtime() override;
  bool end_runtime(bool within_none) override;
  void called() override { runtime_.called(this_thread.time.runtime_now()); }
  void begin_era() override { era_.fetch_add(1, std::memory_order_relaxed); }
  void start_tracer() override;
  bool stop_tracer() override;
  bool device_is_done() const override;
  void release(bool cupti_leaves) override;

 private:
  ApplicationRecorder& recorder_;
  const ExecutableGraphs& graphs_;
  const ListenedHandles& handles_;
  Subscription subscription_;
  RuntimeCallbacks runtime_{subscription_};
  ActivityTimes device_times_;
  CallingThreads threads_;
  std::atomic<std::uint32_t> era_{1};
  bool probed_ = false;  ///< the cost of listening was measured
};

}  // namespace trilane
