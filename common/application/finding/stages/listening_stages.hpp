// Goes from the search for an iteration to its replay: search, confirm, watch, trace, capture.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "common/application/finding/stages/departure.hpp"
#include "common/application/iteration/records/recorder_status.hpp"

namespace trilane {

/// Not thread-safe, except for is_capturing().
class ListeningStages {
 public:
  /// All must outlive this object. Counts calls and watched iterations in `page`. Calls `known`
  /// once the iteration is known.
  ListeningStages(ApplicationRecorder& recorder, ListeningInstruments& instruments,
                  StagedReplay& replay, Departure& departure, RecorderStatus& page,
                  std::function<void()> known);

  ListeningStage stage() const { return stage_; }
  /// Returns true while an iteration is captured for the replay.
  bool is_capturing() const { return capturing_.load(std::memory_order_relaxed); }

  /// Takes a call that has returned, and enters the next stage if that is possible in this call.
  void observe(const ObservedCall& call);
  /// Must be called after observe(), except within an iteration that is captured. Starts what
  /// follows an iteration that was watched.
  void call_ended(double now_us);
  /// Take the start and end of an NVTX range of the calling thread.
  void range_begins(const char* name, double now_us);
  void range_ends(double now_us);
  /// Must be called when the iteration that is captured is complete, or differs from the one that
  /// was found. Then callbacks are as few as while iterations were watched.
  void capture_ended(bool complete);

 private:
  void enter(ListeningStage next);
  void enter_outside(ListeningStage next);
  bool may_enter(ListeningStage next, const ObservedCall& call);
  bool may_watch_ends(bool runtime_has_ended);
  void iteration_is_known();
  bool watched_enough(double now_us);
  void iteration_begins(double now_us);
  bool traces(double now_us);

  static constexpr std::uint32_t most_late_calls = 10'000;

  ApplicationRecorder& recorder_;
  ListeningInstruments& instruments_;
  StagedReplay& replay_;
  Departure& departure_;
  RecorderStatus& page_;
  const std::function<void()> say_known_;
  ListeningStage stage_ = ListeningStage::search;
  std::atomic<bool> capturing_{false};
  std::uint32_t late_calls_ = 0;  ///< calls since the stage should have changed
  bool known_ = false;            ///< the iteration is known in this stage, and that was said
  std::uint64_t watched_ = 0;     ///< iterations since the search
  double watched_from_us_ = 0;
};

}  // namespace trilane
