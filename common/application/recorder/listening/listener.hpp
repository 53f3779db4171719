// Listens to the application's calls and hands them to the recorder's core.
#pragma once

#include <cupti.h>

#include "common/application/recorder/driver/driver_surroundings.hpp"
#include "common/application/recorder/listening/cupti_instruments.hpp"
#include "common/application/recorder/listening/replay_stage.hpp"
#include "common/application/recorder/listening/resource_watch.hpp"
#include "common/application/recorder/listening/stack_taker.hpp"

namespace trilane {

/// Writes the recording while the application runs on, and at its end.
class RecordingWriter {
 public:
  /// `path`: the file of the recording. All must outlive this object.
  RecordingWriter(RecorderStatus& page, std::string path, const ApplicationRecorder& recorder,
                  const ResourceWatch& resources, ListenerGuard& guard)
      : page_(page),
        path_(std::move(path)),
        recorder_(recorder),
        resources_(resources),
        guard_(guard) {}

  /// Names a context for questions to the driver. Must be called under the guard's lock.
  void use(CUcontext context) { context_ = context; }
  /// Has a thread write the recording. Must be called whenever more is known.
  void write_soon();
  /// Ends that thread.
  void end();
  /// Writes the recording; notes in the page if it cannot.
  void write();

 private:
  void write_when_asked();

  RecorderStatus& page_;
  const std::string path_;
  const ApplicationRecorder& recorder_;
  const ResourceWatch& resources_;
  ListenerGuard& guard_;
  CUcontext context_ = nullptr;

  std::mutex waiting_;  // guards what follows
  std::thread thread_;
  std::condition_variable changed_;  ///< signals a change of these
  bool ending_ = false;
  std::uint32_t asked_ = 0;  ///< number of requests to write the recording
};

/// Lives from the first use of CUDA to the end of the process. No member throws: after an
/// exception, the listener notes it in the page and falls silent.
class Listener {
 public:
  /// `path`: the file of the recording.
  Listener(RecorderStatus& page, const RecorderSettings& settings, std::string path,
           std::string replay_path, const ReplaySettings& replay);

  /// Subscribes to CUPTI. Notes in the page why it cannot; while another tool has CUPTI, tries
  /// again until that has left. Returns false if it will never listen.
  bool start();
  /// Takes what is still pending and writes the recording, because the application ends.
  void finish();
  /// Called in a child after fork(), where CUPTI and the other threads are gone.
  void fall_silent() {
    in_child_ = true;
    guard_.set_left(false);
    guard_.set_silent(true);
    gate_.open();
  }

  void range_begins(const char* name);
  void range_ends();

 private:
  static void CUPTIAPI called(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                              const void* data);
  void module_changed(CUpti_CallbackId id, const CUpti_ResourceData& data);
  bool subscribe();
  void wait_for_cupti();
  void hold_back(const CUpti_CallbackData& call);
  // They take the state of the calling thread, because looking for it costs some 5 ns.
  bool hear(CUpti_CallbackDomain domain, CUpti_CallbackId id, const CUpti_CallbackData& call,
            ThreadState& thread);
  void enters(CUpti_CallbackId id, const CUpti_CallbackData& call, ThreadState& thread);
  bool returns(CUpti_CallbackId id, const CUpti_CallbackData& call, ThreadState& thread);
  void glance(const ListenedCall& what, const CUpti_CallbackData& data, ThreadState& thread);
  bool observe(const ListenedCall& what, const CUpti_CallbackData& data, double end_us,
               bool captured, const TakenStack& stack, ThreadState& thread);
  bool pool_grows(const ListenedCall& what, const CUpti_CallbackData& data, ThreadState& thread);
  TakenStack stack_of(const ListenedCall& what, CUresult code, bool captured, bool grows,
                      ThreadState& thread);
  bool is_captured(const ListenedCall& what, const CUpti_CallbackData& data, ThreadState& thread);
  ObservedCall call_of(const ListenedCall& what, const CUpti_CallbackData& data,
                       const TakenStack& stack, ThreadState& thread);
  /// Returns the runtime's function that the thread is in; 0: unknown.
  std::uint32_t runtime_now(const ThreadState& thread) const {
    return stages_.stage() == ListeningStage::confirm ? thread.time.runtime() : 0;
  }
  void change_graphs(const ListenedCall& what, const void* parameters, ObservedCall& call);
  void capture(const ListenedCall& what, const void* parameters, const ObservedCall& call);
  void obey();

  RecorderStatus& page_;
  KnownModules modules_;  ///< has its own lock
  DriverSurroundings surroundings_{modules_};
  ListenerGuard guard_;
  StackTaker stacks_;
  ThreadGate gate_;
  // Guarded by its lock:
  ApplicationRecorder recorder_;
  ExecutableGraphs graphs_;
  CaptureWatch captures_;
  ResourceWatch resources_;
  ReplayStage replay_;
  CuptiInstruments instruments_;
  Departure departure_;
  ListeningStages stages_;
  RecordingWriter writer_;

  std::atomic<bool> ending_{false}, in_child_{false};
  std::thread subscribes_;  ///< once another tool has left CUPTI
};

}  // namespace trilane
