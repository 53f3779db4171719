#include "common/application/recorder/listening/iteration_capture.hpp"

#include <algorithm>
#include <cstring>

#include "common/application/iteration/observed_batch.hpp"
#include "common/application/iteration/application_recording.hpp"
#include "common/application/iteration/call_kinds.hpp"
#include "common/application/recorder/driver/launch_parameters.hpp"
#include "common/application/replay/replayed_memory.hpp"

namespace trilane {

namespace {

/// Returns the rows of a copy's source, one after the other.
std::vector<std::byte> rows_of(const ObservedCall& copy) {
  const std::uint64_t height = std::max<std::uint64_t>(1, copy.height);
  const std::uint64_t width = copy.bytes / height;
  std::vector<std::byte> bytes(copy.bytes);
  for (std::uint64_t row = 0; row < height; ++row) {
    const auto* const from = reinterpret_cast<const std::byte*>(copy.source) +
                             row * (copy.source_pitch == 0 ? width : copy.source_pitch);
    std::memcpy(bytes.data() + row * width, from, width);
  }
  return bytes;
}

}  // namespace

IterationCapture::IterationCapture(ApplicationRecording recording, const ObservedIteration& latest,
                                   ExecutableGraphs& graphs)
    : graphs_(graphs), same_(latest.calls) {
  taken_.captured.resize(recording.calls.size());
  taken_.parameters.resize(recording.calls.size());
  taken_.recording = std::move(recording);
}

const RecordedCall* IterationCapture::expected() const {
  const std::size_t next = taken_.observed.calls.size();
  return next < taken_.recording.calls.size() ? &taken_.recording.calls[next] : nullptr;
}

/// Returns true if the call matches the recording in its bytes, copies and nodes. A free states no
/// size; the recording knows that of its memory.
bool IterationCapture::fits(const RecordedCall& recorded, const ObservedCall& call) const {
  if (recorded.kind != call.kind) return false;
  if (!frees(call.kind) && recorded.bytes != call.bytes) return false;
  const std::size_t copies = call.batch ? call.batch->copies.size() : 1;
  if (call.kind == CallKind::copy && copies_in(recorded) != copies) return false;
  if (!recorded.graph) return true;
  const std::vector<RecordedNode>& nodes = taken_.recording.graphs[*recorded.graph].nodes;
  return call.graph && std::ranges::equal(nodes, call.graph->nodes,
                                          [](const RecordedNode& node, const auto& observed) {
                                            return node.kind == observed->call.kind &&
                                                   node.bytes == observed->call.bytes;
                                          });
}

bool IterationCapture::reads_host(std::span<const UsedRange> uses) const {
  return std::ranges::any_of(uses, [&](const UsedRange& range) {
    const MemoryKind kind = taken_.recording.memory[range.memory].kind;
    return range.use == Use::reads && (kind == MemoryKind::pinned || kind == MemoryKind::pageable);
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
    switch (side_of(taken_.recording.memory[range.memory].kind)) {
      case MemorySide::host: return !device;
      case MemorySide::device: return device;
      case MemorySide::unknown: break;
    }
    return true;
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

/// A replay must launch what the graph was at the first call that names it, and after each change
/// of the whole graph.
void IterationCapture::keep_graph(const ObservedCall& call) {
  const bool is_new = executables_.insert(call.executable).second;
  if (!call.graph && !is_new) return;
  const auto content = graphs_.what_is_in(reinterpret_cast<CUgraphExec>(call.executable));
  if (content == nullptr) return;
  std::shared_ptr<TakenGraph>& taken = taken_graphs_[content->number];
  if (taken == nullptr) taken = graphs_.taken(reinterpret_cast<CUgraphExec>(call.executable));
  taken_.captured[taken_.observed.calls.size()].graph = taken;
}

/// The arguments are the application's own.
void IterationCapture::keep_launch(ObservedLaunch& launch) {
  auto bytes = std::make_unique<std::byte[]>(launch.arguments.size());
  std::ranges::copy(launch.arguments, bytes.get());
  launch.arguments = {bytes.get(), launch.arguments.size()};
  taken_.observed.arguments.push_back(std::move(bytes));
  keep_places(launch);
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
  if (recorded == nullptr || elsewhere_ || !fits(*recorded, call) || !same_.next(call)) {
    return State::differs;
  }
  ObservedCall kept = call;
  if (call.kind == CallKind::kernel) {
    keep_launch(kept.launch);
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

}  // namespace trilane
