#include "common/application/recorder/listening/replay_stage.hpp"

#include <fmt/format.h>

#include <utility>

#include "common/application/iteration/capture_obstacles.hpp"
#include "common/application/iteration/recording_file.hpp"
#include "common/application/replay/known_modules.hpp"
#include "common/application/replay/replayed_memory.hpp"
#include "common/base/text/exit_code.hpp"

namespace trilane {

ReplayStage::ReplayStage(RecorderStatus& page, std::string path, const ReplaySettings& settings,
                         ExecutableGraphs& graphs)
    : page_(page),
      path_(std::move(path)),
      settings_(settings),
      graphs_(graphs),
      over_(path_.empty()) {}

void ReplayStage::refuses(const std::string& call, const char* reason) {
  if (refusal_.empty()) refusal_ = fmt::format("{}: {}", call, reason);
}

std::string ReplayStage::why_not(const ApplicationRecording& recording) const {
  const std::string why = why_no_replay(recording);
  return why.empty() ? refusal_ : why;
}

bool ReplayStage::begins(const ApplicationRecorder& recorder) {
  if (over_) return false;
  ApplicationRecording recording = recorder.recording();
  if (const std::string why = why_not(recording); !why.empty()) {
    gives_up(why);
    return false;
  }
  try {
    keep_memory(recorder, recording);
  } catch (const std::exception& error) {
    gives_up(error.what());
    return false;
  }
  capture_ = std::make_unique<IterationCapture>(std::move(recording), *recorder.latest(), graphs_);
  return true;
}

void ReplayStage::keep_memory(const ApplicationRecorder& recorder,
                              const ApplicationRecording& recording) {
  if (modules_.unloads() != unloads_) {
    throw NotPossible("a module was unloaded after the iteration was found");
  }
  require_small_copies(recording, settings_.most_snapshot_bytes);
  TRILANE_DRIVER(cuCtxSynchronize);
  const ObservedIteration& latest = *recorder.latest();
  before_ = std::make_unique<Snapshot>(
      replayed_memory(recorder.live_memory(), module_variables(modules_, recording, latest), latest,
                      settings_.most_snapshot_bytes));
  for (const ObservedCall& call : latest.calls) {
    if (call.kind == CallKind::kernel) functions_.insert(call.launch.function);
  }
  for (std::size_t i = 0; i < before_->memory().size(); ++i) {
    if (before_->memory()[i].kind == MemoryKind::pinned) mapped_.push_back(i);
  }
}

void ReplayStage::enters(const ListenedCall& what, const void* parameters) {
  capture_->enters(what, parameters);
  if (mapped_.empty() || what.decode == nullptr) return;
  ObservedCall call{.kind = what.kind};
  if (what.kind == CallKind::kernel) {
    what.decode(parameters, call);
    keep_mapped(call);
  } else if (what.kind == CallKind::graph_launch) {
    what.decode(parameters, call);
    const auto content = graphs_.what_is_in(reinterpret_cast<CUgraphExec>(call.executable));
    if (content == nullptr) return;
    for (const auto& node : content->nodes) keep_mapped(node->call);
  }
}

/// The kernel will find what the host has written since the previous iteration, and no kernel of
/// this iteration has used the memory yet.
void ReplayStage::keep_mapped(const ObservedCall& launch) {
  std::erase_if(mapped_, [&](std::size_t i) {
    const MemoryFacts& memory = before_->memory()[i];
    if (!points_into(launch.launch, memory)) return false;
    if (is_still_there(memory)) before_->take_host_again(i);
    return true;
  });
}

IterationCapture::State ReplayStage::returned(const ListenedCall& what, const void* parameters,
                                              const ObservedCall& call) {
  const bool known = call.kind != CallKind::kernel || functions_.contains(call.launch.function);
  const IterationCapture::State state =
      known ? capture_->returns(what, parameters, call) : IterationCapture::State::differs;
  if (state == IterationCapture::State::differs) differs();
  return state;
}

void ReplayStage::differs() {
  gives_up("the iteration changed before it was captured");
  end();
}

/// A value that varies in the captured iteration is not a constant of a graph.
double ReplayStage::measure(ApplicationRecorder& recorder, const std::function<bool()>& alone) {
  TakenIteration taken = capture_->iteration();
  recorder.also_seen(taken.observed);
  taken.recording = recorder.recording();
  taken.kept = before_->memory();
  bool left = false;
  ReplayRecord record =
      measure_replay(taken, std::move(*before_), settings_, [&] { left = alone(); });
  record.beside_cupti = !left;
  if (!left) record.cupti_us = 0;
  if (!left && record.comparison && record.comparison->watched) {
    record.comparison->watched->cupti_us = 0;  // it was there for both
  }
  write(record);
  end();
  return record.cupti_us;
}

void ReplayStage::application_ends(const ApplicationRecorder& recorder) {
  if (over_) return;
  if (is_capturing())
    return gives_up("the application ended within the iteration that was being captured");
  const ApplicationRecording recording = recorder.recording();
  if (recording.found == Found::none) return;
  if (const std::string why = why_not(recording); !why.empty()) return gives_up(why);
  gives_up(fmt::format(
      "the application ended after {} iterations, before one could be replayed: let it run longer",
      recording.iterations));
}

void ReplayStage::end() {
  over_ = true;
  capture_.reset();
  before_.reset();
}

void ReplayStage::gives_up(const std::string& reason) {
  if (std::exchange(over_, true)) return;
  ReplayRecord record;
  record.refusal = reason;
  write(record);
}

void ReplayStage::write(const ReplayRecord& record) {
  try {
    replace_file(path_, to_json(record));
  } catch (const std::exception& error) {
    note_problem(page_, RecorderProblem::not_written, error.what());
  }
}

}  // namespace trilane
