// Replays the application's iteration once it has been watched for a while.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "common/application/finding/core/application_recorder.hpp"
#include "common/application/recorder/replaying/iteration_taker.hpp"
#include "common/application/recorder/replaying/shared_page.hpp"
#include "common/application/replay/measure_replay.hpp"
#include "common/application/replay/memory/known_modules.hpp"

namespace trilane {

class ReplayStage {
 public:
  /// `path`: the file for the ReplayRecord; empty if no replay is wanted. Notes in `page` if it
  /// cannot be written.
  ReplayStage(RecorderStatus& page, std::string path, ReplaySettings settings);

  bool is_wanted() const { return !path_.empty(); }
  /// Returns true if nothing more will be replayed.
  bool is_over() const { return over_; }
  bool is_taking() const { return taker_ != nullptr; }

  /// Notes that a call has made something that no replay can follow, whenever it was made.
  void refuses(const std::string& call, const char* reason);
  /// Must be called when the iteration is known: no module of it may be unloaded from now on.
  void watches(const KnownModules& modules) { unloads_ = modules.unloads(); }
  /// Takes the beginning of an iteration while only ends are watched. Returns true if every call of
  /// it must be listened to, and memory was copied; false if a replay is not wanted, was made or is
  /// refused.
  bool begins(const ApplicationRecorder& recorder, const KnownModules& modules);
  /// Cancels any further replay.
  void gives_up(const std::string& reason);
  /// Says why there was no replay, if one was wanted.
  void application_ends(const ApplicationRecorder& recorder);

  /// Must be called before a call of the iteration that is taken.
  void enters(const ListenedCall& what, const void* parameters, ExecutableGraphs& graphs);
  /// Must be called after such a call.
  IterationTaker::State returned(const ListenedCall& what, const void* parameters,
                                 const ObservedCall& call, ExecutableGraphs& graphs);
  /// Must be called if the iteration ended before it was complete.
  void differs();
  /// Replays the complete iteration. `alone` is as in measure_replay(), and returns true if CUPTI
  /// has left. Returns the time that CUPTI adds to an iteration.
  double measure(ApplicationRecorder& recorder, const std::function<bool()>& alone);

 private:
  void keep_memory(const ApplicationRecorder& recorder, const ApplicationRecording& recording,
                   const KnownModules& modules);
  void take_mapped(const ObservedCall& launch);
  void end();
  void refuse(const std::string& reason);
  void write(const ReplayRecord& record);

  RecorderStatus& page_;
  const std::string path_;
  const ReplaySettings settings_;
  bool over_;
  std::unique_ptr<IterationTaker> taker_;
  std::unique_ptr<Snapshot> before_;
  std::string refusal_;                ///< the first permanent one
  std::uint64_t unloads_ = 0;          ///< of modules, before ends were watched
  std::set<std::uint64_t> functions_;  ///< whose modules' variables are kept
  std::vector<std::size_t> mapped_;    ///< pinned memory of `before_` that no kernel has used yet
};

}  // namespace trilane
