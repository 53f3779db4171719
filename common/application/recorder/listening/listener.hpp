// Listens to the application's calls and hands them to the recorder's core.
#pragma once

#include <cupti.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "common/application/finding/core/application_recorder.hpp"
#include "common/application/recorder/driver/driver_surroundings.hpp"
#include "common/application/recorder/driver/executable_graphs.hpp"
#include "common/application/recorder/driver/listened_call.hpp"
#include "common/application/recorder/listening/activity_times.hpp"
#include "common/application/recorder/listening/subscription.hpp"
#include "common/application/recorder/replaying/replay_stage.hpp"
#include "common/application/recorder/replaying/shared_page.hpp"
#include "common/application/replay/memory/known_modules.hpp"

namespace trilane {

/// Lives from the first use of CUDA to the end of the process. No member throws: after an
/// exception, the listener notes it in the page and falls silent.
class Listener {
 public:
  /// `path`: the file of the recording.
  Listener(RecorderStatus& page, RecorderSettings settings, std::string path, ReplayStage replay);

  /// Subscribes to CUPTI; notes in the page why it cannot.
  bool start();
  /// Takes what is still pending and writes the recording, because the application ends.
  void finish();
  /// Called in a child after fork(), where CUPTI and the other threads are gone.
  void fall_silent() {
    silent_ = true;
    left_ = false;
  }

  void range_begins(const char* name);
  void range_ends();

 private:
  static void CUPTIAPI called(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                              const void* data);
  bool hear(CUpti_CallbackDomain domain, CUpti_CallbackId id, const CUpti_CallbackData& call);
  void obey();
  bool goes_now() const;
  void module_changed(CUpti_CallbackId id, const CUpti_ResourceData& data);
  bool returned(const ListenedCall& what, const CUpti_CallbackData& data, CUresult code,
                double end_us);
  void changed(const ListenedCall& what, const CUpti_CallbackData& data, CUresult code);
  void destroys(const ListenedCall& what, const CUpti_CallbackData& data);
  BrokenCapture broken_by(CUpti_CallbackId id, CallKind kind, CUresult code) const;
  void failed(const ListenedCall& what, CUresult code);
  void capture_ends(CUpti_CallbackId id, CUresult code);
  bool observe(const ListenedCall& what, const CUpti_CallbackData& data, ObservedCall& call);
  void note_thread();
  void enters(CUpti_CallbackId id, const CUpti_CallbackData& data);
  bool lock_unless_silent(std::unique_lock<std::timed_mutex>& lock);
  bool lock_unless_obeyed(std::unique_lock<std::timed_mutex>& lock);
  bool watched_enough(double now_us);
  void iteration_begins(double now_us);
  void taken(const ListenedCall& what, const CUpti_CallbackData& data, const ObservedCall& call);
  bool traces(double now_us);
  bool may_look(const ObservedCall& call, ListeningStage next);
  bool may_watch_ends();
  bool may_stop_tracer(const ObservedCall& call, ListeningStage next);
  void take_one();
  void stop_taking();
  void measure();
  bool fall_silent_for_replay();
  void depart();
  bool cupti_can_leave() const;
  bool release_cupti();
  void leave();
  [[noreturn]] void end_application();
  bool is_captured(std::uint64_t stream) const;
  void look(ListeningStage next);
  void look_outside(ListeningStage next);
  void iteration_is_known();
  void listen_to_all();
  void listen_for_ends();
  void listen_to_runtime();
  void start_tracer();
  void stop_tracer();
  bool end_trace();
  bool device_is_done() const;
  void write_soon();
  void write_when_asked();
  void end_writer();
  bool end_listening();
  void write();
  template <typename Action>
  void guarded(Action action);

  RecorderStatus& page_;
  const std::string path_;
  DriverSurroundings surroundings_;
  Subscription subscription_;
  RuntimeCallbacks runtime_{subscription_};
  ActivityTimes device_times_;
  KnownModules modules_;
  std::atomic<bool> silent_{true};
  std::atomic<bool> left_{false};         ///< silent because everything is known
  std::atomic<std::uint64_t> thread_{0};  ///< the first that made a call
  std::atomic<bool> several_threads_{false};
  std::atomic<std::uint32_t> era_{1};  ///< increases whenever other calls are listened to

  /// The task of the next callback at the return of a call.
  enum class Order : std::uint8_t { none, leave, end_application };
  std::atomic<Order> ordered_{Order::none};

  std::timed_mutex mutex_;  // guards what follows; CUPTI's records are taken without it
  ApplicationRecorder recorder_;
  ExecutableGraphs graphs_;
  ReplayStage replay_;
  std::atomic<bool> taking_{false};  ///< as replay_ says, read without the lock
  ListeningStage looking_ = ListeningStage::search;
  std::set<std::uint64_t> captured_;  ///< streams
  /// The era if all calls were listened to when the latest capture began, or 0.
  std::uint32_t capture_era_ = 0;
  std::optional<BrokenCapture> broken_;  ///< what broke the capture under way
  CUcontext context_ = nullptr;
  /// The tracer's result: whole iterations until it was stopped with the device idle, or not.
  enum class Trace : std::uint8_t { none, under_way, clean, broken };
  Trace trace_ = Trace::none;
  static constexpr std::uint32_t most_late_calls = 10'000;
  std::uint32_t late_calls_ = 0;  ///< calls since the listening should have changed
  double leave_by_us_ = 0;        ///< with Order::leave
  bool known_ = false;            ///< the iteration is known, and that was said
  bool probed_ = false;           ///< the cost of listening was measured
  std::uint64_t watched_ = 0;     ///< iterations since the search
  double watched_from_us_ = 0;

  // Writes while the application runs on.
  std::mutex waiting_;  // guards what follows
  std::thread writer_;
  std::condition_variable changed_;  ///< signals a change of these
  bool ending_ = false;
  std::uint32_t asked_ = 0;  ///< number of requests to write the recording
};

}  // namespace trilane
