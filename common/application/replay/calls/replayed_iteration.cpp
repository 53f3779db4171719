#include "common/application/replay/calls/replayed_iteration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "common/application/stretches/stretches.hpp"
#include "common/text/exit_code.hpp"

namespace trilane {

namespace {

constexpr int poison_byte = 0xA5;

/// The bytes from the first row's start to the last row's end.
std::uint64_t extent(const ReplayedCall& call, std::uint64_t pitch) {
  const std::uint64_t width = call.bytes / call.height;
  return (call.height - 1) * (pitch == 0 ? width : pitch) + width;
}

bool is_host(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::pinned:
    case MemoryKind::pageable: return true;
    case MemoryKind::device:
    case MemoryKind::pool:
    case MemoryKind::managed:
    case MemoryKind::module:
    case MemoryKind::unknown: return false;
  }
  return false;
}

/// The runtime launches kernels by a CUkernel, which a graph's node does not take in its place.
CUfunction function_of(std::uint64_t handle) {
  CUfunction function = nullptr;
  const CUresult result =
      driver().cuKernelGetFunction(&function, reinterpret_cast<CUkernel>(handle));
  return result == CUDA_SUCCESS ? function : reinterpret_cast<CUfunction>(handle);
}

/// The memory that a copy reads or writes.
const RecordedMemory& memory_of(const ApplicationRecording& recording, const RecordedCall& call,
                                Use use) {
  const auto found = std::ranges::find(call.uses, use, &UsedRange::use);
  if (found == call.uses.end()) {
    throw NotPossible(
        fmt::format("{}: it is not known which memory it {}", call.name, name_of(use)));
  }
  return recording.memory[found->memory];
}

}  // namespace

ReplayedIteration::ReplayedIteration(const TakenIteration& taken, HostKind host, double gap_share)
    : host_(host) {
  const std::vector<double> gaps = host_gaps(taken.recording);
  for (std::size_t i = 0; i < taken.recording.calls.size(); ++i) {
    calls_.push_back(replayed(taken, i));
    calls_.back().gap_us = gaps[i] * gap_share;
  }
}

ReplayedCall ReplayedIteration::replayed(const TakenIteration& taken, std::size_t i) {
  const RecordedCall& recorded = taken.recording.calls[i];
  const ObservedCall& observed = taken.observed.calls[i];
  if (!recorded.refusal.empty()) {
    throw NotPossible(fmt::format("{}: {}", recorded.name, recorded.refusal));
  }
  ReplayedCall call;
  call.kind = recorded.kind;
  call.number = static_cast<std::uint32_t>(i);
  call.stream = reinterpret_cast<CUstream>(observed.stream);
  call.event = recorded.event;
  call.bytes = observed.bytes;
  call.height = std::max<std::uint64_t>(1, observed.height);
  switch (recorded.kind) {
    case CallKind::kernel:
      call.attributes = taken.captured[i].attributes;
      call.parameters = taken.parameters[i];
      place_kernel(observed.launch, call);
      break;
    case CallKind::copy:
      place_copy(taken.recording, recorded, observed, taken.captured[i].source, call);
      break;
    case CallKind::memset: place_memset(observed, call); break;
    case CallKind::graph_launch: place_launch(taken, i, call); break;
    case CallKind::change_graph: place_change(taken, i, call); break;
    case CallKind::allocate:
    case CallKind::allocate_async:
      call.allocation = static_cast<std::uint32_t>(allocations_.size());
      live_[observed.destination] = call.allocation;
      allocations_.push_back(observed.bytes);
      break;
    case CallKind::free:
    case CallKind::free_async: {
      const auto found = live_.find(observed.destination);
      if (found == live_.end()) {
        throw NotPossible(recorded.name + ": it frees memory that an earlier iteration allocated");
      }
      call.allocation = found->second;
      live_.erase(found);
      break;
    }
    case CallKind::record_event:
    case CallKind::wait_event:
    case CallKind::synchronize_event:
    case CallKind::query: events_ = std::max(events_, recorded.event + 1); break;
    case CallKind::synchronize_stream:
    case CallKind::synchronize_context: break;
    case CallKind::host_function:
      throw NotPossible(recorded.name + ": it calls a function of the program on the host");
    case CallKind::allocate_host:
    case CallKind::free_host:
      throw NotPossible(recorded.name + ": it makes or releases pinned memory in the iteration");
    case CallKind::other:
      throw NotPossible(recorded.name + ": a replay does not know how to repeat it");
  }
  return call;
}

void ReplayedIteration::place_kernel(const ObservedLaunch& launch, ReplayedCall& call) const {
  call.function = reinterpret_cast<CUfunction>(launch.function);
  call.node_function = function_of(launch.function);
  std::copy_n(launch.grid, 3, call.grid);
  std::copy_n(launch.block, 3, call.block);
  call.shared_bytes = launch.shared_bytes;
  call.arguments.assign(launch.arguments.begin(), launch.arguments.end());
  for (std::size_t at = 0; at + sizeof(CUdeviceptr) <= call.arguments.size();
       at += sizeof(CUdeviceptr)) {
    CUdeviceptr value = 0;
    std::memcpy(&value, call.arguments.data() + at, sizeof value);
    if (const auto address = moving(value)) call.moving.push_back({at, *address});
  }
}

void ReplayedIteration::place_memset(const ObservedCall& observed, ReplayedCall& call) const {
  call.destination = observed.destination;
  call.moving_destination = moving(observed.destination);
  call.destination_pitch = observed.destination_pitch;
  call.value = observed.value;
  call.value_bytes = std::max<std::uint32_t>(1, observed.value_bytes);
}

void ReplayedIteration::place_copy(const ApplicationRecording& recording,
                                   const RecordedCall& recorded, const ObservedCall& observed,
                                   const std::vector<std::byte>& source, ReplayedCall& call) {
  call.waits = recorded.synchronous;
  call.source_pitch = observed.source_pitch;
  call.destination_pitch = observed.destination_pitch;
  call.source = observed.source;
  call.destination = observed.destination;
  if (call.bytes == 0) return;
  const RecordedMemory& from = memory_of(recording, recorded, Use::reads);
  const RecordedMemory& to = memory_of(recording, recorded, Use::writes);
  call.pageable = from.kind == MemoryKind::pageable || to.kind == MemoryKind::pageable;
  if (is_host(from.kind)) {
    call.source = own_source(from, call, source, observed.source);
    call.source_pitch = 0;
  } else {
    call.moving_source = moving(observed.source);
  }
  if (is_host(to.kind)) {
    call.destination = own_destination(to, call, observed.destination);
  } else {
    call.moving_destination = moving(observed.destination);
  }
}

bool ReplayedIteration::is_pinned(const RecordedMemory& memory) const {
  switch (host_) {
    case HostKind::as_recorded: return memory.kind == MemoryKind::pinned;
    case HostKind::pinned: return true;
  }
  return true;
}

CUdeviceptr ReplayedIteration::own_source(const RecordedMemory& memory, const ReplayedCall& call,
                                          const std::vector<std::byte>& content,
                                          std::uint64_t address) {
  if (content.size() != call.bytes) {
    throw NotPossible("the content of a copy's host memory could not be taken");
  }
  sources_.emplace_back(call.bytes, is_pinned(memory), address);
  std::memcpy(sources_.back().data(), content.data(), call.bytes);
  return reinterpret_cast<CUdeviceptr>(sources_.back().data());
}

CUdeviceptr ReplayedIteration::own_destination(const RecordedMemory& memory,
                                               const ReplayedCall& call, std::uint64_t address) {
  const std::uint64_t bytes = extent(call, call.destination_pitch);
  const auto [found, is_new] = destination_of_.try_emplace({address, bytes}, destinations_.size());
  if (is_new) destinations_.emplace_back(bytes, is_pinned(memory), address);
  return reinterpret_cast<CUdeviceptr>(destinations_[found->second].data());
}

std::optional<MovingAddress> ReplayedIteration::moving(std::uint64_t address) const {
  const auto next = live_.upper_bound(address);
  if (next == live_.begin()) return std::nullopt;
  const auto& [base, number] = *std::prev(next);
  const std::uint64_t offset = address - base;
  if (offset >= allocations_[number]) return std::nullopt;
  return MovingAddress{number, offset};
}

std::vector<MemoryFacts> ReplayedIteration::outputs() const {
  std::vector<MemoryFacts> all;
  for (const OwnHostMemory& memory : destinations_) {
    all.push_back(
        {MemoryKind::pageable, reinterpret_cast<std::uint64_t>(memory.data()), memory.size()});
  }
  return all;
}

void ReplayedIteration::poison() {
  for (const OwnHostMemory& memory : destinations_) {
    std::memset(memory.data(), poison_byte, memory.size());
  }
}

}  // namespace trilane
