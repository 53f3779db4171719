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
  /// No replay is wanted, or it was tried.
  bool is_over() const { return over_; }

  /// An iteration has ended while only ends were watched. Returns whether every call of the next
  /// one is to be listened to; memory was then copied.
  bool begins(const ApplicationRecorder& recorder, double now_us);

  /// A call of the iteration that is taken is about to be made.
  void enters(const ListenedCall& what, const void* parameters, ExecutableGraphs& graphs);
  /// One has returned. Returns whether that was the last; the replay is then over.
  bool returned(const ListenedCall& what, const void* parameters, const ObservedCall& call,
                ExecutableGraphs& graphs);

 private:
  void refuse(const std::string& reason);
  void write(const ReplayRecord& record);

  const std::string path_;
  const ReplaySettings settings_;
  bool over_;
  std::uint64_t watched_ = 0;
  double watched_from_us_ = 0;
  std::unique_ptr<IterationTaker> taker_;
  std::unique_ptr<Snapshot> before_;
};

}  // namespace trilane
