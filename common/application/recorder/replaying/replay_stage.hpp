// Replays the application's iteration once it has been watched for a while.
#pragma once

#include <memory>
#include <string>

#include "common/application/recorder/replaying/iteration_taker.hpp"
#include "common/application/recording/core/application_recorder.hpp"
#include "common/application/replay/outcome/measure_replay.hpp"

namespace trilane {

class ReplayStage {
 public:
  /// `path`: of the file that gets the ReplayRecord; empty: no replay is wanted.
  ReplayStage(std::string path, ReplaySettings settings);

  bool is_taking() const { return taker_ != nullptr; }

  /// An iteration begins while only ends are watched. Returns whether every call of it is to be
  /// listened to, and memory was copied; false if a replay is not wanted, was made or is refused.
  bool begins(const ApplicationRecorder& recorder);
  /// Says why there was no replay, if one was wanted.
  void application_ends(const ApplicationRecorder& recorder);

  /// A call of the iteration that is taken is about to be made.
  void enters(const ListenedCall& what, const void* parameters);
  /// One has returned.
  IterationTaker::State returned(const ListenedCall& what, const void* parameters,
                                 const ObservedCall& call);
  /// The iteration ended before it was complete.
  void differs();
  /// The iteration is complete: replays it. Until this returns no call should be listened to, for
  /// that would lengthen the replay's own.
  void measure();

 private:
  void end();
  void refuse(const std::string& reason);
  void write(const ReplayRecord& record);

  const std::string path_;
  const ReplaySettings settings_;
  bool over_;
  std::unique_ptr<IterationTaker> taker_;
  std::unique_ptr<Snapshot> before_;
};

}  // namespace trilane
