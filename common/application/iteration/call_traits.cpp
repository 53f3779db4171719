#include "common/application/iteration/call_traits.hpp"

namespace trilane {
namespace {

MemoryKind kind_at(const RecordedCall& call, Use use, const ApplicationRecording& recording) {
  const UsedRange* const side = first_used(call, use);
  return side == nullptr ? MemoryKind::unknown : recording.memory[side->memory].kind;
}

const char* words_of(MemoryKind kind) {
  return on_host(kind) ? "host" : on_device(kind) ? "device" : name_of(kind);
}

/// Returns what the driver's documentation says under "API synchronization behavior". With unknown
/// memory the copy counts as waited for, so that no race is wrongly called certain.
HostWait wait_of_copy(const RecordedCall& call, const ApplicationRecording& recording) {
  const MemoryKind from = kind_at(call, Use::reads, recording);
  const MemoryKind to = kind_at(call, Use::writes, recording);
  const bool to_pageable = std::ranges::any_of(call.uses, [&](const UsedRange& used) {
    return used.use == Use::writes && recording.memory[used.memory].kind == MemoryKind::pageable;
  });
  if (to_pageable) return HostWait::itself;
  if (!call.synchronous) return HostWait::nothing;
  if (from == MemoryKind::pageable) return HostWait::before;
  return on_device(from) && on_device(to) ? HostWait::nothing : HostWait::itself;
}

HostWait wait_of_memset(const RecordedCall& call, const ApplicationRecording& recording) {
  const bool waits = call.synchronous && !on_device(kind_at(call, Use::writes, recording));
  return waits ? HostWait::itself : HostWait::nothing;
}

using Frames = std::span<const std::uint32_t>;

/// Returns the last part of a qualified name, without template arguments: "step" for
/// "ns::step<int>" and for Python's "Model.step".
std::string short_name(const RecordedFrame& frame) {
  const std::string_view function = frame.function;
  if (frame.module.empty()) return std::string(function.substr(function.rfind('.') + 1));
  std::string name;
  int depth = 0;
  for (std::size_t i = 0; i < function.size(); ++i) {
    const char c = function[i];
    if (c == '<') ++depth;
    if (depth == 0) name += c;
    if (depth == 0 && name.ends_with("::") && function.substr(i + 1) != "operator()") name.clear();
    if (c == '>' && depth > 0) --depth;
  }
  return name.empty() ? std::string(function) : name;
}

std::string words_of(const RecordedFrame& frame) {
  const std::string name = short_name(frame);
  if (frame.line > 0) {
    return fmt::format("{}:{}{}{}", base_name(frame.file), frame.line, name.empty() ? "" : " ",
                       name);
  }
  const std::string place = frame.module.empty()
                                ? base_name(frame.file)
                                : fmt::format("{}+{:#x}", base_name(frame.module), frame.offset);
  return name.empty() ? place : fmt::format("{} ({})", name, place);
}

/// Frames with a line say most, then those with a name.
int worth_of(const RecordedFrame& frame) {
  if (!frame.own) return 0;
  return frame.line > 0 ? 3 : frame.function.empty() ? 1 : 2;
}

/// Returns the user's frames among these of which most is known.
std::vector<const RecordedFrame*> telling(const RecordedSource& source, Frames frames) {
  std::vector<const RecordedFrame*> found;
  int worth = 1;
  for (const std::uint32_t number : frames) {
    const RecordedFrame& frame = source.frames[number];
    if (worth_of(frame) > worth) found.clear();
    worth = std::max(worth, worth_of(frame));
    if (worth_of(frame) == worth) found.push_back(&frame);
  }
  return found;
}

}  // namespace

HostWait host_wait_of(const RecordedCall& call, const ApplicationRecording& recording) {
  if (call.kind == CallKind::copy) return wait_of_copy(call, recording);
  if (call.kind == CallKind::memset) return wait_of_memset(call, recording);
  return traits_of(call.kind).wait;
}

bool is_pageable(const RecordedCall& call, const ApplicationRecording& recording) {
  const auto pageable = [](const RecordedMemory& m) { return m.kind == MemoryKind::pageable; };
  return call.kind == CallKind::copy && any_memory(call, recording, pageable);
}

std::int32_t priority_of(const RecordedCall& kernel, const ApplicationRecording& recording) {
  const bool own = kernel.attributes && kernel.attributes->priority;
  return own ? *kernel.attributes->priority : recording.streams[kernel.stream].priority;
}

RecordedEngine engine_of(const RecordedCall& call, const ApplicationRecording& recording) {
  if (!is_operation(call.kind)) return RecordedEngine::none;
  if (call.kind != CallKind::copy) return RecordedEngine::compute;
  if (on_host(kind_at(call, Use::reads, recording))) return RecordedEngine::copy_in;
  return on_host(kind_at(call, Use::writes, recording)) ? RecordedEngine::copy_out
                                                        : RecordedEngine::compute;
}

TimeUse use_of(const RecordedCall& call, const ApplicationRecording& recording) {
  switch (role_of(call.kind)) {
    case CallRole::work:
      return is_pageable(call, recording) || host_wait_of(call, recording) != HostWait::nothing
                 ? TimeUse::blocking_copy
                 : TimeUse::launching;
    case CallRole::graph_launch:
    case CallRole::host_function:
    case CallRole::record_event:
    case CallRole::wait_event: return TimeUse::launching;
    case CallRole::synchronize_stream:
    case CallRole::synchronize_event:
    case CallRole::synchronize_context:
    case CallRole::query: return TimeUse::waiting;
    case CallRole::allocation:
    case CallRole::release: return TimeUse::allocating;
    case CallRole::graph_change:
    case CallRole::other: break;
  }
  return TimeUse::other_calls;
}

std::string operation_name(const RecordedCall& call, const ApplicationRecording& recording) {
  if (call.kind == CallKind::kernel) return "kernel " + recording.kernels[call.kernel].name;
  if (call.kind != CallKind::copy) return name_of(call.kind);
  return fmt::format("copy {} to {}", words_of(kind_at(call, Use::reads, recording)),
                     words_of(kind_at(call, Use::writes, recording)));
}

std::string place_of(const ApplicationRecording& recording, std::size_t call) {
  const std::optional<std::uint32_t> stack = recording.calls[call].stack;
  std::string place;
  if (recording.source && stack) place = place_of(*recording.source, *stack);
  return place.empty() ? fmt::format("call {}", call) : place;
}

std::string place_of(const RecordedSource& source, std::uint32_t stack) {
  const Frames all = source.stacks[stack].frames;
  const Frames apart = all.subspan(source.shared);
  auto frames = telling(source, apart);
  if (frames.empty()) {  // each call comes from one line of the user's
    const auto of_python = [&](std::uint32_t frame) {
      return source.frames[frame].module.empty() && source.frames[frame].line > 0;
    };
    const auto inner = std::ranges::find_if(apart.rbegin(), apart.rend(), of_python);
    if (inner != apart.rend()) return words_of(source.frames[*inner]);
    frames = telling(source, all);
  }
  if (frames.empty()) return "";
  const std::string outer = words_of(*frames.front()), inner = words_of(*frames.back());
  // Without names the inner one may be the CUDA runtime, linked into the program.
  return outer == inner || worth_of(*frames.back()) == 1 ? outer
                                                         : fmt::format("{} > {}", outer, inner);
}

}  // namespace trilane
