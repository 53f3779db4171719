#include "common/application/recorder/listening/replay_stage.hpp"

#include "common/application/iteration/call_kinds.hpp"
#include "common/application/iteration/capture_obstacles.hpp"
#include "common/application/iteration/recording_file.hpp"
#include "common/application/recorder/driver/driver_surroundings.hpp"
#include "common/application/replay/replayed_memory.hpp"
#include "common/base/text/exit_code.hpp"

namespace trilane {

namespace {

std::vector<std::byte> rows_of(const ObservedCall& copy) {
  const std::uint64_t height = std::max<std::uint64_t>(1, copy.height);
  const std::uint64_t width = copy.bytes / height;
  std::vector<std::byte> bytes(copy.bytes);
  for (std::uint64_t row = 0; row < height; ++row) {
    const auto* const from = reinterpret_cast<const std::byte*>(copy.source) +
                             offset_of_row(row, copy, copy.source_pitch, copy.source_rows);
    std::memcpy(bytes.data() + row * width, from, width);
  }
  return bytes;
}

}  // namespace

IterationCapture::IterationCapture(ApplicationRecording recording, const ObservedIteration& latest,
                                   ExecutableGraphs& graphs)
    : graphs_(graphs), same_(latest.calls, recording.found == Found::in_kind) {
  HandleNumbers turns;
  for (const ObservedCall& call : latest.calls) known_turns_.push_back(turns.of(call.thread).first);
  taken_.captured.resize(recording.calls.size());
  taken_.parameters.resize(recording.calls.size());
  taken_.recording = std::move(recording);
}

const RecordedCall* IterationCapture::expected() const {
  const std::size_t next = taken_.observed.calls.size();
  return next < taken_.recording.calls.size() ? &taken_.recording.calls[next] : nullptr;
}

/// Returns true if the call matches the recording in its bytes, copies and nodes; in kind, without
/// bytes. A free states no size; the recording knows that of its memory.
bool IterationCapture::fits(const RecordedCall& recorded, const ObservedCall& call) const {
  if (recorded.kind != call.kind) return false;
  const bool in_kind = taken_.recording.found == Found::in_kind;
  if (!in_kind && !frees(call.kind) && recorded.bytes != call.bytes) return false;
  const std::size_t copies = call.batch ? call.batch->copies.size() : 1;
  if (call.kind == CallKind::copy && copies_in(recorded) != copies) return false;
  if (!recorded.graph) return true;
  const std::vector<RecordedNode>& nodes = taken_.recording.graphs[*recorded.graph].nodes;
  return call.graph &&
         std::ranges::equal(
             nodes, call.graph->nodes, [&](const RecordedNode& node, const auto& observed) {
               return node.kind == observed->call.kind &&
                      (in_kind || frees(node.kind) || node.bytes == observed->call.bytes);
             });
}

bool IterationCapture::reads_host(std::span<const UsedRange> uses) const {
  return std::ranges::any_of(uses, [&](const UsedRange& range) {
    return range.use == Use::reads && on_host(taken_.recording.memory[range.memory].kind);
  });
}

void IterationCapture::enters(const ListenedCall& what, const void* parameters) {
  const RecordedCall* const recorded = expected();
  const bool reads = what.kind == CallKind::copy || what.kind == CallKind::graph_launch;
  if (recorded == nullptr || !reads || what.kind != recorded->kind) return;
  if (what.id != same_.expected_function()) return;
  ObservedCall call{.kind = what.kind};
  if (what.decode != nullptr) what.decode(parameters, call);
  if (what.kind == CallKind::graph_launch) {
    call.graph = graphs_.what_is_in(reinterpret_cast<CUgraphExec>(call.executable));
  }
  if (!fits(*recorded, call)) return;
  elsewhere_ = false;  // an earlier one was captured, or failed
  if (recorded->graph) {
    keep_sources(*recorded, *call.graph);
  } else if (what.kind == CallKind::copy) {
    keep_sources(*recorded, call);
  }
}

bool IterationCapture::lies_as_recorded(std::span<const UsedRange> uses,
                                        const ObservedCall& copy) const {
  return std::ranges::all_of(uses, [&](const UsedRange& range) {
    const bool device = lies_on_device(range.use == Use::reads ? copy.source : copy.destination);
    const MemoryKind kind = taken_.recording.memory[range.memory].kind;
    return device ? !on_host(kind) : !on_device(kind);
  });
}

/// Returns what the copy reads on the host. Reads nothing if that is not host memory.
std::vector<std::byte> IterationCapture::source(std::span<const UsedRange> uses,
                                                const ObservedCall& copy) {
  if (copy.bytes > 0 && !lies_as_recorded(uses, copy)) elsewhere_ = true;
  return !elsewhere_ && reads_host(uses) ? rows_of(copy) : std::vector<std::byte>();
}

void IterationCapture::keep_sources(const RecordedCall& copy, const ObservedCall& call) {
  const std::vector<ObservedCall> copies = copies_of(call);
  auto& sources = taken_.captured[taken_.observed.calls.size()].sources;
  sources.resize(copies.size());
  for (std::size_t i = 0; i < copies.size(); ++i) {
    sources[i] = source(std::span(copy.uses).subspan(2 * i, 2), copies[i]);
  }
}

void IterationCapture::keep_sources(const RecordedCall& launch, const ObservedGraph& graph) {
  auto& sources = taken_.captured[taken_.observed.calls.size()].sources;
  sources.resize(graph.nodes.size());
  const std::vector<RecordedNode>& recorded = taken_.recording.graphs[*launch.graph].nodes;
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    const bool copies = recorded[i].kind == CallKind::copy && recorded[i].bytes > 0;
    if (copies) sources[i] = source(recorded[i].uses, graph.nodes[i]->call);
  }
}

/// A replay must launch the graph as of its first call, and as of each change of the whole graph.
void IterationCapture::keep_graph(const ObservedCall& call) {
  const bool is_new = executables_.insert(call.executable).second;
  if (!call.graph && !is_new) return;
  const auto content = graphs_.what_is_in(reinterpret_cast<CUgraphExec>(call.executable));
  if (content == nullptr) return;
  std::shared_ptr<TakenGraph>& taken = taken_graphs_[content->number];
  if (taken == nullptr) taken = graphs_.taken(reinterpret_cast<CUgraphExec>(call.executable));
  taken_.captured[taken_.observed.calls.size()].graph = taken;
}

void IterationCapture::keep_places(const ObservedLaunch& launch) {
  for (const ParameterPlace& place : parameter_places(launch.function)) {
    taken_.parameters[taken_.observed.calls.size()].push_back(place.offset);
  }
}

IterationCapture::State IterationCapture::returns(const ListenedCall& what, const void* parameters,
                                                  const ObservedCall& call) {
  if (call.kind == CallKind::query) return State::going;  // not part of a recording either
  const RecordedCall* const recorded = expected();
  if (recorded == nullptr || elsewhere_ || !fits(*recorded, call) || !same_.next(call) ||
      turns_.of(call.thread).first != known_turns_[taken_.observed.calls.size()]) {
    return State::differs;
  }
  ObservedCall kept = call;
  if (call.kind == CallKind::kernel) {
    taken_.observed.keep_arguments(kept.launch);
    keep_places(kept.launch);
    taken_.captured[taken_.observed.calls.size()].attributes = attributes_of(what, parameters);
  }
  if (call.kind == CallKind::graph_launch || call.kind == CallKind::change_graph) {
    keep_graph(call);
  }
  if (call.changed && call.changed->call.kind == CallKind::kernel) {
    keep_places(call.changed->call.launch);
  }
  taken_.observed.calls.push_back(kept);
  return expected() == nullptr ? State::complete : State::going;
}

std::string ReplayStage::why_not(ApplicationRecording recording) const {
  if (settings_.skips_host_functions) {
    std::erase_if(recording.calls,
                  [](const RecordedCall& call) { return call.kind == CallKind::host_function; });
  }
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
  } catch (const KernelRefused& error) {
    gives_up(error.what(), error.kernel);
    return false;
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

/// The kernel will find what the host has written; no kernel of this iteration has used it yet.
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

void ReplayStage::breaks_off(const std::string& reason) {
  gives_up(reason);
  end();
}

/// A later step may be of the same shape again, or the loop begin again.
void ReplayStage::differs() {
  if (++steps_tried_ < most_steps_tried && capture_ && capture_->may_come_again()) {
    capture_.reset();
    before_.reset();
    mapped_.clear();
    return;
  }
  breaks_off("the iteration changed before it was captured");
}

/// A value that varies in the captured iteration is not a constant of a graph.
double ReplayStage::measure(ApplicationRecorder& recorder, const std::function<bool()>& alone) {
  TakenIteration taken = capture_->iteration();
  recorder.also_seen(taken.observed);
  taken.recording = recorder.recording();
  if (settings_.skips_host_functions) skip_host_functions(taken);  // before calls are numbered
  set_apart(taken, *before_);
  taken.streams = recorder.live_streams();
  bool left = false;
  ReplayRecord record = measure_replay(
      taken, std::move(*before_), settings_, [&] { left = alone(); },
      [&](const DeviceLengths& us) { recorder.device_lengths(us); });
  record.beside_cupti = !left;
  record.others_stopped = taken.recording.issuing.has_value();
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

void ReplayStage::gives_up(const std::string& reason, const std::string& kernel) {
  if (std::exchange(over_, true)) return;
  ReplayRecord record;
  record.refusal = reason;
  record.refused_kernel = kernel;
  write(record);
}

}  // namespace trilane
