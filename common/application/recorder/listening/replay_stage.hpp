// Replays the application's iteration once it has been watched for a while.
#pragma once

#include "common/application/finding/call_fingerprint.hpp"
#include "common/application/finding/handle_facts.hpp"
#include "common/application/finding/listening_stages.hpp"
#include "common/application/recorder/driver/executable_graphs.hpp"
#include "common/application/recorder/driver/listened_call.hpp"
#include "common/application/recorder/listening/listener_guard.hpp"
#include "common/application/replay/known_modules.hpp"
#include "common/application/replay/measure_replay.hpp"
#include "common/application/replay/replayed_iteration.hpp"

namespace trilane {

class IterationCapture {
 public:
  /// `latest`: the iteration that `recording` describes. `graphs` must outlive this object.
  IterationCapture(ApplicationRecording recording, const ObservedIteration& latest,
                   ExecutableGraphs& graphs);

  /// Must be called before the application's call: copies what its copies will read from the host.
  void enters(const ListenedCall& what, const void* parameters);

  enum class State {
    going,
    complete,
    differs,  ///< this iteration is not the recorded one
  };
  /// Takes a call that has returned.
  State returns(const ListenedCall& what, const void* parameters, const ObservedCall& call);

  /// Returns true if calls between iterations may differ: then a later one may be as recorded.
  bool may_come_again() const { return taken_.recording.unequal || taken_.recording.breaks; }
  /// Returns the iteration, once it is complete.
  TakenIteration iteration() { return std::move(taken_); }

 private:
  const RecordedCall* expected() const;
  bool reads_host(std::span<const UsedRange> uses) const;
  bool fits(const RecordedCall& recorded, const ObservedCall& call) const;
  bool lies_as_recorded(std::span<const UsedRange> uses, const ObservedCall& copy) const;
  std::vector<std::byte> source(std::span<const UsedRange> uses, const ObservedCall& copy);
  void keep_sources(const RecordedCall& copy, const ObservedCall& call);
  void keep_sources(const RecordedCall& launch, const ObservedGraph& graph);
  void keep_graph(const ObservedCall& call);
  void keep_places(const ObservedLaunch& launch);

  ExecutableGraphs& graphs_;
  SameCalls same_;
  HandleNumbers turns_;                     ///< of the threads
  std::vector<std::uint32_t> known_turns_;  ///< by call
  bool elsewhere_ = false;                  ///< a copy is between other sides than in the recording
  TakenIteration taken_;
  std::set<std::uint64_t> executables_;  ///< named by the calls so far
  std::map<std::uint64_t, std::shared_ptr<TakenGraph>>
      taken_graphs_;  ///< by number of their content
};

class ReplayStage final : public StagedReplay {
 public:
  /// `path`: the file for the ReplayRecord; empty if no replay is wanted. Notes in `page` if it
  /// cannot be written. `graphs` and `modules` must outlive this object.
  ReplayStage(RecorderStatus& page, std::string path, const ReplaySettings& settings,
              ExecutableGraphs& graphs, const KnownModules& modules)
      : page_(page),
        path_(std::move(path)),
        settings_(settings),
        graphs_(graphs),
        over_(path_.empty()),
        modules_(modules) {}

  bool is_wanted() const override { return !path_.empty(); }
  bool is_over() const override { return over_; }
  bool is_capturing() const override { return capture_ != nullptr; }

  /// Notes that a call has made something that no replay can follow, whenever it was made.
  void refuses(const std::string& call, const char* reason) {
    if (refusal_.empty()) refusal_ = fmt::format("{}: {}", call, reason);
  }
  /// Must be called when the iteration is known: no module of it may be unloaded from now on.
  void watches() { unloads_ = modules_.unloads(); }
  bool begins(const ApplicationRecorder& recorder) override;
  void gives_up(const std::string& reason) override { gives_up(reason, ""); }
  /// Says why there was no replay, if one was wanted.
  void application_ends(const ApplicationRecorder& recorder);

  /// Must be called before a call of the iteration that is captured.
  void enters(const ListenedCall& what, const void* parameters);
  /// Must be called after such a call.
  IterationCapture::State returned(const ListenedCall& what, const void* parameters,
                                   const ObservedCall& call);
  void breaks_off(const std::string& reason) override;
  /// Replays the complete iteration. `alone` is as in measure_replay(), and returns true if CUPTI
  /// has left. Returns the time that CUPTI adds to an iteration.
  double measure(ApplicationRecorder& recorder, const std::function<bool()>& alone);

 private:
  void gives_up(const std::string& reason, const std::string& kernel);
  void differs();
  void keep_memory(const ApplicationRecorder& recorder, const ApplicationRecording& recording);
  void keep_mapped(const ObservedCall& launch);
  std::string why_not(ApplicationRecording recording) const;
  void end();
  void write(const ReplayRecord& record) {
    replace_file(page_, path_, [&] { return to_json(record); });
  }

  static constexpr int most_steps_tried = 20;

  RecorderStatus& page_;
  const std::string path_;
  const ReplaySettings settings_;
  ExecutableGraphs& graphs_;
  bool over_;
  const KnownModules& modules_;
  std::unique_ptr<IterationCapture> capture_;
  std::unique_ptr<Snapshot> before_;
  std::string refusal_;                ///< the first permanent one
  std::uint64_t unloads_ = 0;          ///< of modules, before ends were watched
  std::set<std::uint64_t> functions_;  ///< whose modules' variables are kept
  int steps_tried_ = 0;                ///< with other calls than the step that was recorded
  std::vector<std::size_t> mapped_;    ///< pinned memory of `before_` that no kernel has used yet
};

}  // namespace trilane
