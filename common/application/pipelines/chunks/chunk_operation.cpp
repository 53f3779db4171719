#include "common/application/iteration/call_traits.hpp"
#include "common/application/pipelines/chunks/chunks.hpp"
#include "common/base/text/cpp_names.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/words.hpp"
#include "common/model/workload/file/fields.hpp"

namespace trilane {
namespace {

constexpr std::uint64_t pointer_bytes = 8;

[[noreturn]] void refuse_call(const ApplicationRecording& recording, std::size_t call,
                              const std::string& why) {
  throw UsageError(fmt::format("{}: {}", words_of_call(recording, call), why));
}

class OperationReader {
 public:
  explicit OperationReader(const ApplicationRecording& recording) : recording_(recording) {}

  /// Returns the operation of a call; absent for calls that only order others or provide memory.
  std::optional<ChunkOperation> operation(std::size_t number) {
    call_ = number;
    const RecordedCall& call = recording_.calls[number];
    switch (role_of(call.kind)) {
      case CallRole::work:
        if (call.kind == CallKind::kernel) return kernel(call);
        return call.kind == CallKind::copy ? copy(call) : memset(call);
      case CallRole::graph_launch: refuse("a pipeline file has no stage for graphs");
      case CallRole::graph_change: refuse("a pipeline file has no graphs to change");
      case CallRole::host_function: refuse("a pipeline file has no stage for host functions");
      case CallRole::other:
        refuse(call.refusal.empty() ? "a pipeline file has no stage for it" : call.refusal);
      case CallRole::record_event:
      case CallRole::wait_event:
      case CallRole::synchronize_stream:
      case CallRole::synchronize_event:
      case CallRole::synchronize_context:
      case CallRole::query:
      case CallRole::allocation:
      case CallRole::release: break;
    }
    return std::nullopt;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { refuse_call(recording_, call_, why); }

  const UsedRange& side(const RecordedCall& call, Use use) const {
    const UsedRange* const found = first_used(call, use);
    if (found == nullptr) refuse("the recording does not say which memory it uses");
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
            .bytes = device.bytes};
  }

  ChunkOperation copy(const RecordedCall& call) const {
    if (copies_in(call) > 1) {
      refuse("makes several copies at once; a pipeline file has no such stage");
    }
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
    // The record holds no width; the driver function's name does.
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
    ChunkOperation operation{.call = call_, .stage = Stage::transform};
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

/// Returns the moved bytes that hold the place, if they begin before it.
const MovedPlaces::value_type* around(const MovedPlaces& moved, const DevicePlace& place) {
  auto next = moved.upper_bound(place);
  if (next == moved.begin()) return nullptr;
  const auto& found = *--next;
  const bool inside = found.first.memory == place.memory && found.first < place &&
                      place.offset - found.first.offset < found.second;
  return inside ? &found : nullptr;
}

void require_whole_buffers(const ChunkOperations& operations, const ChunkOperation& operation) {
  for (std::size_t i = 0; i < operation.places.size(); ++i) {
    const auto* const other = around(operations.moved, operation.places[i]);
    if (other == nullptr) continue;
    const auto mover = std::ranges::find_if(operations.all, [&](const ChunkOperation& one) {
      return one.stage != Stage::transform && one.places.front() == other->first;
    });
    const std::string into = fmt::format("into the middle of what {} {}",
                                         words_of_call(operations.recording, mover->call),
                                         mover->stage == Stage::clear ? "sets" : "copies");
    operations.refuse(
        operation,
        operation.stage == Stage::transform
            ? fmt::format("argument {} points {}; a pipeline file passes whole buffers",
                          operation.parameters[i] + 1, into)
            : fmt::format("reaches {}; a pipeline file copies and sets whole buffers", into));
  }
}

/// Accepts the names that the demangler writes; a vector type counts as its elements.
std::optional<Element> element_of(const std::string& type) {
  static const std::map<std::string, Element> known{
      {"char", Element::int8},           {"signed char", Element::int8},
      {"unsigned char", Element::uint8}, {"bool", Element::uint8},
      {"short", Element::int16},         {"unsigned short", Element::uint16},
      {"int", Element::int32},           {"unsigned int", Element::uint32},
      {"long", Element::int64},          {"unsigned long", Element::uint64},
      {"long long", Element::int64},     {"unsigned long long", Element::uint64},
      {"__half", Element::float16},      {"float", Element::float32},
      {"double", Element::float64},      {"uchar", Element::uint8},
      {"ushort", Element::uint16},       {"uint", Element::uint32},
      {"ulong", Element::uint64},        {"longlong", Element::int64},
      {"ulonglong", Element::uint64},    {"__half2", Element::float16}};
  auto found = known.find(type);
  const bool vector = !type.empty() && type.back() >= '1' && type.back() <= '4';
  if (found == known.end() && vector) found = known.find(type.substr(0, type.size() - 1));
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

bool take_end(std::string& text, const std::string& end) {
  if (!text.ends_with(end)) return false;
  text.resize(text.size() - end.size());
  return true;
}

ParameterType type_of(std::string text, const RecordedParameter& parameter) {
  ParameterType type;
  while (take_end(text, " const") || take_end(text, " __restrict") ||
         take_end(text, "__restrict__")) {
  }
  const bool pointer = take_end(text, "*");
  if (pointer != parameter.pointer) return {};
  if (pointer) type.is_const = take_end(text, " const");
  take_end(text, " volatile");
  type.element = element_of(text);
  if (!pointer && type.element && size_of(*type.element) != parameter.bytes) return {};
  return type;
}

/// Returns the types of the kernel's parameters by its demangled name; only sizes for extern "C".
std::vector<ParameterType> parameter_types(const RecordedKernel& kernel) {
  const std::vector<std::string> signature = signature_of(kernel.name);
  std::vector<ParameterType> types(kernel.parameters.size());
  if (signature.size() != types.size()) return types;
  for (std::size_t i = 0; i < types.size(); ++i) {
    types[i] = type_of(signature[i], kernel.parameters[i]);
  }
  return types;
}

}  // namespace

std::string words_of_call(const ApplicationRecording& recording, std::size_t call) {
  const RecordedCall& made = recording.calls[call];
  std::string what = made.kind == CallKind::kernel
                         ? "kernel " + qualified_name(recording.kernels[made.kernel].name)
                     : made.kind == CallKind::other ? function_of(made)
                                                    : operation_name(made, recording);
  return fmt::format("{} at {}", printable(what, 100), place_of(recording, call));
}

ChunkOperations::ChunkOperations(const ApplicationRecording& recorded) : recording(recorded) {
  if (recording.found == Found::none) {
    throw UsageError("the recording holds no iteration; name its NVTX range with --iteration");
  }
  OperationReader reader(recording);
  for (std::size_t i = 0; i < recording.calls.size(); ++i) {
    if (auto operation = reader.operation(i)) all.push_back(std::move(*operation));
  }
  for (const ChunkOperation& operation : all) {
    if (operation.stage == Stage::transform) continue;
    std::uint64_t& bytes = moved[operation.places.front()];
    bytes = std::max(bytes, operation.bytes);
  }
  for (const ChunkOperation& operation : all) require_whole_buffers(*this, operation);
}

void ChunkOperations::refuse(const ChunkOperation& operation, const std::string& why) const {
  refuse_call(recording, operation.call, why);
}

ChunkedIteration::ChunkedIteration(const ApplicationRecording& recorded) : operations(recorded) {
  if (operations.all.empty()) {
    throw UsageError("the iteration holds no copies, memsets or kernels");
  }
  chains = chunk_chains(operations);
  chunks = equal_chunks(operations, chains);
  require_at_most(most_stages, chunks.stages.size(), "operations in a chunk");
  require_at_most(most_buffers, chunks.buffers.size(), "buffers in a chunk");
  for (const RecordedKernel& kernel : recorded.kernels) types.push_back(parameter_types(kernel));
}

void require_at_most(std::size_t most, std::size_t count, const std::string& what) {
  if (count <= most) return;
  throw UsageError(fmt::format("{} {}; a pipeline file has at most {}", count, what, most));
}

}  // namespace trilane
