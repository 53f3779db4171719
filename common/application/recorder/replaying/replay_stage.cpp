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

/// Iterations that are watched before one is taken, so that the time of an iteration without the
/// recorder is known: so many, or as many as there are in a second, but at least a few.
constexpr std::uint64_t watched_enough = 50, watched_least = 5;
constexpr double watched_enough_us = 1e6;

/// Why no replay of the recording is possible; empty if one may be.
std::string why_no_replay(const ApplicationRecording& recording) {
  switch (recording.found) {
    case Found::repeats: break;
    case Found::range: return "calls between NVTX ranges are not recorded";
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

bool ReplayStage::begins(const ApplicationRecorder& recorder, double now_us) {
  if (over_ || is_taking()) return false;
  if (watched_++ == 0) watched_from_us_ = now_us;
  const bool enough = watched_ >= watched_enough || now_us - watched_from_us_ > watched_enough_us;
  if (watched_ < watched_least || !enough) return false;
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

bool ReplayStage::returned(const ListenedCall& what, const void* parameters,
                           const ObservedCall& call) {
  switch (taker_->returns(what, parameters, call)) {
    case IterationTaker::State::going: return false;
    case IterationTaker::State::differs: refuse("the iteration changed before it was taken"); break;
    case IterationTaker::State::complete:
      write(measure_replay(taker_->take(), std::move(*before_), settings_));
      break;
  }
  over_ = true;
  taker_.reset();
  before_.reset();
  return true;
}

void ReplayStage::refuse(const std::string& reason) {
  over_ = true;
  ReplayRecord record;
  record.refusal = reason;
  write(record);
}

void ReplayStage::write(const ReplayRecord& record) { replace_file(path_, to_json(record)); }

}  // namespace trilane
