#include "common/application/pipelines/chunks/chunk_operation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/application/diagnosis/calls/call_traits.hpp"
#include "common/application/recording/records/call_kinds.hpp"
#include "common/gpu/modules/names/demangle.hpp"
#include "common/text/exit_code.hpp"
#include "common/text/quoting.hpp"

namespace trilane {
namespace {

constexpr std::uint64_t pointer_bytes = 8;

bool on_host(MemoryKind kind) { return kind == MemoryKind::pageable || kind == MemoryKind::pinned; }

bool on_device(MemoryKind kind) {
  return kind == MemoryKind::device || kind == MemoryKind::pool || kind == MemoryKind::module;
}

class OperationReader {
 public:
  explicit OperationReader(const ApplicationRecording& recording) : recording_(recording) {}

  /// The operation of a call; absent for what only orders calls or provides memory.
  std::optional<ChunkOperation> operation(std::size_t number) {
    call_ = number;
    const RecordedCall& call = recording_.calls[number];
    switch (call.kind) {
      case CallKind::copy: return copy(call);
      case CallKind::memset: return memset(call);
      case CallKind::kernel: return kernel(call);
      case CallKind::graph_launch: refuse("a pipeline file has no stage for graphs");
      case CallKind::change_graph: refuse("a pipeline file has no graphs to change");
      case CallKind::host_function: refuse("a pipeline file has no stage for host functions");
      case CallKind::other:
        refuse(call.refusal.empty() ? "a pipeline file has no stage for it" : call.refusal);
      case CallKind::record_event:
      case CallKind::wait_event:
      case CallKind::synchronize_stream:
      case CallKind::synchronize_event:
      case CallKind::synchronize_context:
      case CallKind::query:
      case CallKind::allocate:
      case CallKind::free:
      case CallKind::allocate_async:
      case CallKind::free_async:
      case CallKind::allocate_host:
      case CallKind::free_host: break;
    }
    return std::nullopt;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { refuse_call(recording_, call_, why); }

  const UsedRange& side(const RecordedCall& call, Use use) const {
    const auto found = std::ranges::find(call.uses, use, &UsedRange::use);
    if (found == call.uses.end()) refuse("the recording does not say which memory it uses");
    if (found->bytes != call.bytes)
      refuse("moves rows with gaps; a pipeline file has no such stage");
    if (found->bytes == 0) refuse("moves no bytes; a pipeline file has no such stage");
    return *found;
  }
  MemoryKind kind_of(const UsedRange& range) const { return recording_.memory[range.memory].kind; }

  ChunkOperation moving(Stage stage, const UsedRange& device) const {
    return {.call = call_,
            .stage = stage,
            .places = {{device.memory, device.offset}},
            .parameters = {},
            .bytes = device.bytes};
  }

  ChunkOperation copy(const RecordedCall& call) const {
    const UsedRange& from = side(call, Use::reads);
    const UsedRange& to = side(call, Use::writes);
    if (on_host(kind_of(from)) && on_device(kind_of(to))) return moving(Stage::copy_in, to);
    if (on_device(kind_of(from)) && on_host(kind_of(to))) return moving(Stage::copy_out, from);
    refuse(
        fmt::format("copies from {} to {} memory; a pipeline file has copies between host and "
                    "device",
                    name_of(kind_of(from)), name_of(kind_of(to))));
  }

  ChunkOperation memset(const RecordedCall& call) const {
    const UsedRange& to = side(call, Use::writes);
    if (!on_device(kind_of(to))) {
      refuse(
          fmt::format("sets {} memory; a pipeline file sets device memory", name_of(kind_of(to))));
    }
    ChunkOperation operation = moving(Stage::clear, to);
    // The record holds no width: the driver's function has it in its name.
    const bool wide =
        call.name.find("D16") != call.name.npos || call.name.find("D32") != call.name.npos;
    if (call.value > 255 || (wide && call.value != 0)) {
      refuse(fmt::format("sets numbers of several bytes to {:#x}; a pipeline file sets bytes",
                         call.value));
    }
    operation.value = static_cast<std::uint8_t>(call.value);
    return operation;
  }

  ChunkOperation kernel(const RecordedCall& call) const {
    ChunkOperation operation{
        .call = call_, .stage = Stage::transform, .places = {}, .parameters = {}};
    const std::vector<RecordedParameter>& parameters = recording_.kernels[call.kernel].parameters;
    for (std::uint32_t i = 0; i < parameters.size(); ++i) {
      const auto [bytes, pointer] = parameters[i];
      if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) {
        refuse(
            fmt::format("argument {} has {} bytes; a pipeline file has pointers and numbers of "
                        "1, 2, 4 or 8",
                        i + 1, bytes));
      }
      if (pointer && bytes == pointer_bytes) operation.parameters.push_back(i);
    }
    for (const UsedRange& range : call.uses) {
      operation.places.push_back({range.memory, range.offset});
    }
    if (operation.parameters.size() != operation.places.size()) {
      refuse("an argument points into memory in other launches of the kernel, and not in this one");
    }
    if (operation.places.empty()) refuse("no argument points to memory that a chunk copies");
    return operation;
  }

  const ApplicationRecording& recording_;
  std::size_t call_ = 0;
};

/// The moved bytes that hold the place, if they begin before it.
const MovedPlaces::value_type* around(const MovedPlaces& moved, const DevicePlace& place) {
  auto next = moved.upper_bound(place);
  if (next == moved.begin()) return nullptr;
  const auto& found = *--next;
  const bool inside = found.first.memory == place.memory && found.first < place &&
                      place.offset - found.first.offset < found.second;
  return inside ? &found : nullptr;
}

}  // namespace

std::string words_of_call(const ApplicationRecording& recording, std::size_t call) {
  const RecordedCall& made = recording.calls[call];
  std::string what = made.kind == CallKind::kernel
                         ? "kernel " + qualified_name(recording.kernels[made.kernel].name)
                     : made.kind == CallKind::other ? function_of(made)
                                                    : operation_name(made, recording);
  return fmt::format("{} #{}", printable(what, 100), call);
}

void refuse_call(const ApplicationRecording& recording, std::size_t call, const std::string& why) {
  throw UsageError(fmt::format("{}: {}", words_of_call(recording, call), why));
}

std::vector<ChunkOperation> chunk_operations(const ApplicationRecording& recording) {
  OperationReader reader(recording);
  std::vector<ChunkOperation> operations;
  for (std::size_t i = 0; i < recording.calls.size(); ++i) {
    if (auto operation = reader.operation(i)) operations.push_back(std::move(*operation));
  }
  return operations;
}

MovedPlaces moved_places(const ApplicationRecording& recording,
                         const std::vector<ChunkOperation>& operations) {
  MovedPlaces moved;
  for (const ChunkOperation& operation : operations) {
    if (operation.stage == Stage::transform) continue;
    std::uint64_t& bytes = moved[operation.places.front()];
    bytes = std::max(bytes, operation.bytes);
  }
  for (const ChunkOperation& operation : operations) {
    for (std::size_t i = 0; i < operation.places.size(); ++i) {
      const auto* const other = around(moved, operation.places[i]);
      if (other == nullptr) continue;
      const auto mover = std::ranges::find_if(operations, [&](const ChunkOperation& one) {
        return one.stage != Stage::transform && one.places.front() == other->first;
      });
      const std::string into =
          fmt::format("into the middle of what {} {}", words_of_call(recording, mover->call),
                      mover->stage == Stage::clear ? "sets" : "copies");
      refuse_call(
          recording, operation.call,
          operation.stage == Stage::transform
              ? fmt::format("argument {} points {}; a pipeline file passes whole buffers",
                            operation.parameters[i] + 1, into)
              : fmt::format("reaches {}; a pipeline file copies and sets whole buffers", into));
    }
  }
  return moved;
}

}  // namespace trilane
