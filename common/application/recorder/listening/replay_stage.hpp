// Replays the application's iteration once it has been watched for a while.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "common/application/finding/listening_instruments.hpp"
#include "common/application/recorder/listening/iteration_capture.hpp"
#include "common/application/recorder/listening/output_files.hpp"
#include "common/application/replay/known_modules.hpp"
#include "common/application/replay/measure_replay.hpp"

namespace trilane {

class ReplayStage final : public StagedReplay {
 public:
  /// `path`: the file for the ReplayRecord; empty if no replay is wanted. Notes in `page` if it
  /// cannot be written. `graphs` must outlive this object.
  ReplayStage(RecorderStatus& page, std::string path, const ReplaySettings& settings,
              ExecutableGraphs& graphs);

  bool is_wanted() const override { return !path_.empty(); }
  bool is_over() const override { return over_; }
  bool is_capturing() const override { return capture_ != nullptr; }

  /// Returns the modules to note loads and unloads in, from any thread.
  KnownModules& modules() { return modules_; }
  /// Notes that a call has made something that no replay can follow, whenever it was made.
  void refuses(const std::string& call, const char* reason);
  /// Must be called when the iteration is known: no module of it may be unloaded from now on.
  void watches() { unloads_ = modules_.unloads(); }
  bool begins(const ApplicationRecorder& recorder) override;
  void gives_up(const std::string& reason) override;
  /// Says why there was no replay, if one was wanted.
  void application_ends(const ApplicationRecorder& recorder);

  /// Must be called before a call of the iteration that is captured.
  void enters(const ListenedCall& what, const void* parameters);
  /// Must be called after such a call.
  IterationCapture::State returned(const ListenedCall& what, const void* parameters,
                                   const ObservedCall& call);
  void differs() override;
  /// Replays the complete iteration. `alone` is as in measure_replay(), and returns true if CUPTI
  /// has left. Returns the time that CUPTI adds to an iteration.
  double measure(ApplicationRecorder& recorder, const std::function<bool()>& alone);

 private:
  void keep_memory(const ApplicationRecorder& recorder, const ApplicationRecording& recording);
  void keep_mapped(const ObservedCall& launch);
  std::string why_not(const ApplicationRecording& recording) const;
  void end();
  void write(const ReplayRecord& record);

  RecorderStatus& page_;
  const std::string path_;
  const ReplaySettings settings_;
  ExecutableGraphs& graphs_;
  bool over_;
  KnownModules modules_;
  std::unique_ptr<IterationCapture> capture_;
  std::unique_ptr<Snapshot> before_;
  std::string refusal_;                ///< the first permanent one
  std::uint64_t unloads_ = 0;          ///< of modules, before ends were watched
  std::set<std::uint64_t> functions_;  ///< whose modules' variables are kept
  std::vector<std::size_t> mapped_;    ///< pinned memory of `before_` that no kernel has used yet
};

}  // namespace trilane
