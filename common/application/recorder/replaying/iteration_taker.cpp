#include "common/application/recorder/replaying/iteration_taker.hpp"

#include <algorithm>
#include <cstring>

#include "common/application/recorder/driver/launch_parameters.hpp"
#include "common/application/recording/records/application_recording.hpp"
#include "common/application/recording/records/call_kinds.hpp"

namespace trilane {

namespace {

/// The rows of a copy's source, one behind the other.
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

/// A free states no size; the recording knows that of its memory.
bool fits(const RecordedCall& recorded, const ObservedCall& call) {
  return recorded.kind == call.kind && (frees(call.kind) || recorded.bytes == call.bytes);
}

}  // namespace

IterationTaker::IterationTaker(ApplicationRecording recording) {
  taken_.captured.resize(recording.calls.size());
  taken_.parameters.resize(recording.calls.size());
  taken_.recording = std::move(recording);
}

const RecordedCall* IterationTaker::expected() const {
  const std::size_t next = taken_.observed.calls.size();
  return next < taken_.recording.calls.size() ? &taken_.recording.calls[next] : nullptr;
}

bool IterationTaker::reads_host(const RecordedCall& call) const {
  return std::ranges::any_of(call.uses, [&](const UsedRange& range) {
    const MemoryKind kind = taken_.recording.memory[range.memory].kind;
    return range.use == Use::reads && (kind == MemoryKind::pinned || kind == MemoryKind::pageable);
  });
}

void IterationTaker::enters(const ListenedCall& what, const void* parameters) {
  const RecordedCall* const recorded = expected();
  if (recorded == nullptr || what.kind != CallKind::copy || recorded->kind != CallKind::copy)
    return;
  ObservedCall call{.kind = what.kind};
  if (what.decode != nullptr) what.decode(parameters, call);
  if (!fits(*recorded, call) || !reads_host(*recorded)) return;
  taken_.captured[taken_.observed.calls.size()].source = rows_of(call);
}

IterationTaker::State IterationTaker::returns(const ListenedCall& what, const void* parameters,
                                              const ObservedCall& call) {
  if (call.kind == CallKind::query) return State::going;  // no part of a recording either
  const RecordedCall* const recorded = expected();
  if (recorded == nullptr || !fits(*recorded, call)) return State::differs;
  const std::size_t number = taken_.observed.calls.size();
  ObservedCall kept = call;
  if (call.kind == CallKind::kernel) {
    const auto arguments = call.launch.arguments;
    auto bytes = std::make_unique<std::byte[]>(arguments.size());
    std::ranges::copy(arguments, bytes.get());
    kept.launch.arguments = {bytes.get(), arguments.size()};
    taken_.observed.arguments.push_back(std::move(bytes));
    for (const ParameterPlace& place : parameter_places(call.launch.function)) {
      taken_.parameters[number].push_back(place.offset);
    }
    taken_.captured[number].attributes = attributes_of(what, parameters);
  }
  taken_.observed.calls.push_back(kept);
  return expected() == nullptr ? State::complete : State::going;
}

}  // namespace trilane
