#include "common/application/recorder/replaying/replay_stage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "common/application/outcome/replay_record.hpp"
#include "common/application/recorder/status/replaced_file.hpp"
#include "common/application/replay/memory/replayed_memory.hpp"
#include "common/text/exit_code.hpp"

namespace trilane {

namespace {

/// Why no replay of the recording is possible; empty if one may be.
std::string why_no_replay(const ApplicationRecording& recording) {
  switch (recording.found) {
    case Found::repeats:
    case Found::range: break;
    case Found::none: return "no iteration was found";
  }
  if (recording.threads > 1) {
    return fmt::format("{} threads make the calls of an iteration", recording.threads);
  }
  const auto refused = std::ranges::find_if(
      recording.calls, [](const RecordedCall& call) { return !call.refusal.empty(); });
  if (refused != recording.calls.end()) {
    return fmt::format("{}: {}", refused->name, refused->refusal);
  }
  return {};
}

}  // namespace

ReplayStage::ReplayStage(std::string path, ReplaySettings settings)
    : path_(std::move(path)), settings_(settings), over_(path_.empty()) {}

bool ReplayStage::begins(const ApplicationRecorder& recorder) {
  if (over_) return false;
  ApplicationRecording recording = recorder.recording();
  const std::string why_not = why_no_replay(recording);
  if (!why_not.empty()) {
    refuse(why_not);
    return false;
  }
  try {
    TRILANE_DRIVER(cuCtxSynchronize);
    before_ = std::make_unique<Snapshot>(
        replayed_memory(recorder.live_memory(), *recorder.latest(), settings_.most_snapshot_bytes));
  } catch (const std::exception& error) {
    refuse(error.what());
    return false;
  }
  taker_ = std::make_unique<IterationTaker>(std::move(recording));
  return true;
}

void ReplayStage::enters(const ListenedCall& what, const void* parameters) {
  taker_->enters(what, parameters);
}

IterationTaker::State ReplayStage::returned(const ListenedCall& what, const void* parameters,
                                            const ObservedCall& call) {
  const IterationTaker::State state = taker_->returns(what, parameters, call);
  if (state == IterationTaker::State::differs) differs();
  return state;
}

void ReplayStage::differs() {
  refuse("the iteration changed before it was taken");
  end();
}

void ReplayStage::measure() {
  TRILANE_DRIVER(cuCtxSynchronize);
  write(measure_replay(taker_->take(), std::move(*before_), settings_));
  end();
}

void ReplayStage::application_ends(const ApplicationRecorder& recorder) {
  if (over_) return;
  if (is_taking()) return refuse("the application ended within the iteration that was taken");
  const ApplicationRecording recording = recorder.recording();
  if (recording.found == Found::none) return;
  refuse(fmt::format(
      "the application ended after {} iterations, before one could be replayed: let it run longer",
      recording.iterations));
}

void ReplayStage::end() {
  over_ = true;
  taker_.reset();
  before_.reset();
}

void ReplayStage::refuse(const std::string& reason) {
  over_ = true;
  ReplayRecord record;
  record.refusal = reason;
  write(record);
}

void ReplayStage::write(const ReplayRecord& record) { replace_file(path_, to_json(record)); }

}  // namespace trilane
